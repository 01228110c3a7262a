import type { TokenFormat } from './tokenFormat.ts';

const gitHub =
  'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats';
const gitLab = 'https://docs.gitlab.com/security/tokens/#token-prefixes';
const atlassian = 'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/';
const docker = 'https://docs.docker.com/security/for-developers/access-tokens/';
const artifactory = 'https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens';
const sonar = 'https://docs.sonarsource.com/sonarqube/latest/user-guide/managing-tokens/';
const sourcegraph = 'https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token';
const buildkite = 'https://buildkite.com/docs/apis/managing-api-tokens';
const circle = 'https://circleci.com/docs/managing-api-tokens/';
const harness = 'https://developer.harness.io/docs/platform/automation/api/add-and-manage-api-keys/';
const postman = 'https://learning.postman.com/docs/developer/postman-api/authentication/';
const figma = 'https://developers.figma.com/docs/rest-api/personal-access-tokens/';
const linear = 'https://linear.app/developers/graphql';
const notion = 'https://developers.notion.com/page/changelog';
const contentful = 'https://www.contentful.com/developers/docs/references/content-management-api/';
const snyk = 'https://docs.snyk.io/snyk-api/authentication-for-api';

/** Hosting of code, registries of packages, builds, and what teams plan and design with. */
export const codeFormats: readonly TokenFormat[] = [
  ['GitHub token', 'ghp_[alnum:36-255]', gitHub],
  ['GitHub token', 'gho_[alnum:36-255]', gitHub],
  ['GitHub token', 'ghu_[alnum:36-255]', gitHub],
  ['GitHub token', 'ghs_[alnum:36-255]', gitHub],
  ['GitHub token', 'ghr_[alnum:36-255]', gitHub],
  ['GitHub token', 'github_pat_[word:22-255]', gitHub],
  ['GitLab token', 'glpat-[url:20-300]', gitLab],
  ['GitLab token', 'glpat-[url:20-300].[lower:2].[lower:9]', gitLab],
  ['GitLab OAuth secret', 'gloas-[url:20-100]', gitLab],
  ['GitLab deploy token', 'gldt-[url:20-100]', gitLab],
  ['GitLab runner token', 'glrt-[url:20-300]', gitLab],
  ['GitLab runner token', 'glrt-t[digits:1]_[url:20-300]', gitLab],
  ['GitLab runner token', 'glrtr-[url:20-300]', gitLab],
  ['GitLab runner token', 'GR1348941[url:20]', gitLab],
  ['GitLab job token', 'glcbt-[url:20-300]', gitLab],
  ['GitLab trigger token', 'glptt-[url:20-100]', gitLab],
  ['GitLab feed token', 'glft-[url:20-100]', gitLab],
  ['GitLab mail token', 'glimt-[url:20-100]', gitLab],
  ['GitLab agent token', 'glagent-[url:20-100]', gitLab],
  ['GitLab SCIM token', 'glsoat-[url:20-100]', gitLab],
  ['GitLab feature flags token', 'glffct-[url:20-100]', gitLab],
  ['GitLab workspace token', 'glwt-[url:20-100]', gitLab],
  ['GitLab cookie', '_gitlab_session=[hex:32]', gitLab],
  ['Bitbucket token', 'ATBB[alnum:28-40]', 'https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/'],
  ['Bitbucket token', 'ATCTT3[url:60-300]', atlassian],
  ['Atlassian token', 'ATATT3[url:60-300]', atlassian],
  ['Atlassian token', 'ATSTT3[url:60-300]', atlassian],
  ['Trello token', 'ATTA[hex:60-80]', 'https://developer.atlassian.com/cloud/trello/guides/rest-api/api-introduction/'],
  ['npm token', 'npm_[alnum:36]', 'https://docs.npmjs.com/about-access-tokens/'],
  ['PyPI token', 'pypi-[url:50-1000]', 'https://pypi.org/help/#apitoken'],
  ['RubyGems key', 'rubygems_[hex:48]', 'https://guides.rubygems.org/api-key-scopes/'],
  ['crates.io token', 'cio[alnum:32]', 'https://doc.rust-lang.org/cargo/reference/publishing.html'],
  ['NuGet key', 'oy2[lower:43]', 'https://learn.microsoft.com/en-us/nuget/nuget-org/publish-a-package'],
  ['Clojars token', 'CLOJARS_[lower:60]', 'https://github.com/clojars/clojars-web/wiki/Deploy-Tokens'],
  ['Docker Hub token', 'dckr_pat_[url:24-40]', docker],
  ['Docker Hub token', 'dckr_oat_[url:24-48]', docker],
  ['Artifactory key', 'AKCp[alnum:65-75]', artifactory],
  ['Artifactory token', 'cmVmd[alnum:55-64]', artifactory],
  [
    'JetBrains token',
    'perm:[base64:8-40]=.[base64:4-60]=.[alnum:30]',
    'https://www.jetbrains.com/help/youtrack/server/manage-permanent-token.html',
  ],
  [
    'JetBrains token',
    'perm-[base64:8-40]=.[base64:4-60]=.[alnum:30]',
    'https://www.jetbrains.com/help/youtrack/server/manage-permanent-token.html',
  ],
  ['SonarQube token', 'sqp_[hex:40]', sonar],
  ['SonarQube token', 'squ_[hex:40]', sonar],
  ['SonarQube token', 'sqa_[hex:40]', sonar],
  ['Sourcegraph token', 'sgp_[hex:40]', sourcegraph],
  ['Sourcegraph token', 'sgp_[anyHex:16]_[hex:40]', sourcegraph],
  ['Sourcegraph token', 'sgp_local_[hex:40]', sourcegraph],
  ['Sourcegraph key', 'slk_[hex:64]', sourcegraph],
  ['Buildkite token', 'bkua_[hex:40]', buildkite],
  ['Buildkite token', 'bkct_[alnum:30-60]', buildkite],
  ['Buildkite token', 'bkaj_[alnum:30-2000]', buildkite],
  ['CircleCI token', 'CCIPAT_[alnum:22]_[hex:40]', circle],
  ['CircleCI token', 'CCIPRJ_[alnum:22]_[hex:40]', circle],
  ['Depot token', 'depot_project_[hex:64]', 'https://depot.dev/docs/cli/authentication'],
  ['Depot token', 'depot_org_[hex:64]', 'https://depot.dev/docs/cli/authentication'],

  ['Harness token', 'pat.[url:22].[anyHex:24].[alnum:20]', harness],
  ['Harness token', 'sat.[url:22].[anyHex:24].[alnum:20]', harness],
  ['Infracost key', 'ico-[alnum:32]', 'https://www.infracost.io/docs/features/environment_variables/'],
  ['Snyk token', 'snyk_uat.[hex:8].[url:10-600]', snyk],
  ['Snyk token', 'snyk_sat.[hex:8].[url:10-600]', snyk],
  ['Socket token', 'sktsec_[url:40-60]', 'https://docs.socket.dev/docs/api-keys'],
  ['Semgrep token', 'sgt_[hex:64]', 'https://semgrep.dev/docs/deployment/teams'],
  ['Postman key', 'PMAK-[hex:24]-[hex:34]', postman],
  ['Postman token', 'PMAT-[upper:26]', postman],
  ['Figma token', 'figd_[url:38-60]', figma],
  ['Figma token', 'figu_[url:38-60]', figma],
  ['Linear key', 'lin_api_[alnum:32-48]', linear],
  ['Linear token', 'lin_oauth_[alnum:32-80]', linear],
  ['Linear webhook secret', 'lin_wh_[alnum:32-60]', linear],
  ['Notion token', 'ntn_[alnum:40-60]', notion],
  ['Notion token', 'secret_[alnum:43]', notion],
  ['Airtable token', 'pat[alnum:14].[hex:64]', 'https://airtable.com/developers/web/guides/personal-access-tokens'],
  ['Asana token', '0/[hex:32]', 'https://developers.asana.com/docs/personal-access-token'],
  ['Asana token', '1/[digits:13-18]:[hex:32]', 'https://developers.asana.com/docs/personal-access-token'],
  [
    'Asana token',
    '2/[digits:13-18]/[digits:13-18]:[hex:32]',
    'https://developers.asana.com/docs/personal-access-token',
  ],
  ['ClickUp token', 'pk_[digits:6-10]_[upper:32]', 'https://developer.clickup.com/docs/authentication'],
  ['Shortcut token', 'sct_rw_[url:30-80]', 'https://developer.shortcut.com/api/rest/v3#Authentication'],
  ['Contentful token', 'CFPAT-[url:43]', contentful],
  [
    'Contentstack token',
    'cs[hex:32]',
    'https://www.contentstack.com/docs/developers/create-tokens/about-management-tokens',
  ],
  ['Sanity token', 'sk[alnum:150-220]', 'https://www.sanity.io/docs/http-auth'],
  ['ReadMe key', 'rdme_[lower:70]', 'https://docs.readme.com/main/reference/intro/authentication'],
  ['Frame.io token', 'fio-u-[url:64]', 'https://developer.frame.io/docs/getting-started/authentication'],
  ['Typeform token', 'tfp_[loose:40-70]', 'https://www.typeform.com/developers/get-started/personal-access-token/'],
  ['Duffel token', 'duffel_test_[url:43]', 'https://duffel.com/docs/api/overview/making-requests/authentication'],
  ['Duffel token', 'duffel_live_[url:43]', 'https://duffel.com/docs/api/overview/making-requests/authentication'],
  ['Adafruit IO key', 'aio_[alnum:28]', 'https://io.adafruit.com/api/docs/#authentication'],
  [
    'Adobe client secret',
    'p8e-[alnum:32]',
    'https://developer.adobe.com/developer-console/docs/guides/authentication/',
  ],
  ['Beamer key', 'b_[url:44]', 'https://www.getbeamer.com/api'],
  ['WakaTime key', 'waka_[uuid:36]', 'https://wakatime.com/developers#authentication'],
  ['LaunchDarkly key', 'api-[uuid:36]', 'https://launchdarkly.com/docs/home/account/api'],
  ['LaunchDarkly key', 'sdk-[uuid:36]', 'https://launchdarkly.com/docs/home/account/api'],
  ['Riot Games key', 'RGAPI-[uuid:36]', 'https://developer.riotgames.com/docs/portal'],
  ['Statsig key', 'secret-[alnum:40-60]', 'https://docs.statsig.com/sdk-keys/api-keys/'],
  ['MaxMind key', '[alnum:6]_[alnum:29]_mmk', 'https://dev.maxmind.com/license-key/validation-api/'],
  ['Mapbox token', 'sk.eyJ[url:40-200].[url:20-40]', 'https://docs.mapbox.com/help/glossary/access-token/'],
  ['Mapbox token', 'tk.eyJ[url:40-200].[url:20-40]', 'https://docs.mapbox.com/help/glossary/access-token/'],
  ['Dropbox token', 'sl.[url:100-2000]', 'https://developers.dropbox.com/oauth-guide'],
  ['Dropbox token', 'sl.u.[url:100-2000]', 'https://developers.dropbox.com/oauth-guide'],

  ['age secret key', 'AGE-SECRET-KEY-1[upper:58]', 'https://github.com/C2SP/C2SP/blob/main/age.md'],
];
