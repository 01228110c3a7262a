import type { TokenFormat } from './tokenFormat.ts';

const aws = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html';
const google = 'https://cloud.google.com/docs/authentication';
const azure = 'https://learn.microsoft.com/en-us/purview/sit-defn-azure-storage-account-key-generic';
const entra = 'https://learn.microsoft.com/en-us/purview/sit-defn-client-secret-api-key';
const digitalOcean = 'https://docs.digitalocean.com/reference/api/create-personal-access-token/';
const vault = 'https://developer.hashicorp.com/vault/docs/concepts/tokens';
const doppler = 'https://docs.doppler.com/reference/auth-token-formats';
const netlify = 'https://docs.netlify.com/api/get-started/';
const fly = 'https://fly.io/docs/security/tokens/';
const cloudflare = 'https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/';
const planetScale = 'https://planetscale.com/docs/concepts/service-tokens';
const supabase = 'https://supabase.com/docs/guides/api/api-keys';
const tailscale = 'https://tailscale.com/kb/1252/key-prefixes';
const alibaba = 'https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair';
const databricks = 'https://docs.databricks.com/en/dev-tools/auth/pat.html';
const vercel = 'https://vercel.com/docs/rest-api';
const yandex = 'https://yandex.cloud/en/docs/iam/concepts/authorization/';

/** Clouds, hosting, databases, networks and the stores of secrets. */
export const cloudFormats: readonly TokenFormat[] = [
  ['AWS access key', 'AKIA[upper:16]', aws],
  ['AWS access key', 'ASIA[upper:16]', aws],
  ['AWS access key', 'ABIA[upper:16]', aws],
  ['AWS access key', 'ACCA[upper:16]', aws],
  ['AWS session token', 'FwoGZXIvYXdz[base64:80-2000]', aws],
  ['AWS session token', 'IQoJb3JpZ2lu[base64:80-2000]', aws],
  ['AWS Bedrock key', 'ABSK[base64:100-300]', 'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html'],
  [
    'AWS Bedrock key',
    'bedrock-api-key-[base64:60-2000]',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
  ],
  [
    'Amazon Marketplace token',
    'amzn.mws.[uuid:36]',
    'https://developer-docs.amazon.com/sp-api/docs/authorizing-selling-partner-api-applications',
  ],
  [
    'Amazon client secret',
    'amzn1.oa2-cs.v1.[hex:64]',
    'https://developer.amazon.com/docs/login-with-amazon/register-web.html',
  ],
  ['Google key', 'AIza[url:35]', google],
  ['Google client secret', 'GOCSPX-[url:28]', 'https://developers.google.com/identity/protocols/oauth2'],
  [
    'Google access token',
    'ya29.[url:30-2000]',
    'https://cloud.google.com/docs/authentication/token-types#access-tokens',
  ],
  ['Google refresh token', '1//0[url:30-200]', 'https://developers.google.com/identity/protocols/oauth2'],
  ['Google Cloud storage key', 'GOOG1E[upper:55]', 'https://cloud.google.com/storage/docs/authentication/hmackeys'],
  ['Firebase key', 'APA91b[url:100-200]', 'https://firebase.google.com/docs/cloud-messaging/auth-server'],
  ['Microsoft Entra client secret', '[tilde:3][digits:1]Q~[tilde:31-34]', entra],
  ['Azure DevOps token', '[alnum:76]AZDO[alnum:4]', azure],
  ['Azure storage account key', 'AccountKey=[base64:60-90]', azure],
  ['Azure storage account key', '[base64:76]+ASt[base64:5-8]', azure],
  ['Azure Batch key', '[base64:76]+ABa[base64:5-8]', azure],
  ['Azure Cosmos DB key', '[base64:76]ACDb[base64:5-8]', azure],
  ['Azure Service Bus key', '[base64:33]+ASb[base64:6-8]', azure],
  ['Azure Event Hubs key', '[base64:33]+AEh[base64:6-8]', azure],
  ['Azure IoT key', '[base64:33]AIoT[base64:6-8]', azure],
  ['Azure container registry key', '[base64:42]+ACR[base64:6]', azure],
  ['Azure Redis key', '[base64:33]AzCa[base64:6-8]', azure],
  ['Azure function key', '[url:44]AzFu[url:8-10]', azure],
  ['Azure search key', '[alnum:42]AzSe[alnum:6]', azure],
  ['Azure key', '[alnum:52]JQQJ99[alnum:26]', azure],
  ['DigitalOcean token', 'dop_v1_[hex:64]', digitalOcean],
  ['DigitalOcean token', 'doo_v1_[hex:64]', digitalOcean],
  ['DigitalOcean token', 'dor_v1_[hex:64]', digitalOcean],
  ['HashiCorp Vault token', 'hvs.[url:24-300]', vault],
  ['HashiCorp Vault token', 'hvb.[url:90-400]', vault],
  ['HashiCorp Vault token', 'hvr.[url:24-300]', vault],
  ['HashiCorp Vault token', 's.[alnum:24]', vault],
  [
    'HCP Terraform token',
    '[alnum:14].atlasv1.[url:60-70]',
    'https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens',
  ],
  ['Doppler token', 'dp.pt.[alnum:40-44]', doppler],
  ['Doppler token', 'dp.ct.[alnum:40-44]', doppler],
  ['Doppler token', 'dp.sa.[alnum:40-44]', doppler],
  ['Doppler token', 'dp.st.[alnum:40-44]', doppler],
  ['Doppler token', 'dp.st.[url:2-35].[alnum:40-44]', doppler],
  ['Doppler token', 'dp.scim.[alnum:40-44]', doppler],
  ['Doppler token', 'dp.audit.[alnum:40-44]', doppler],
  ['Infisical token', 'st.[uuid:24-36].[hex:32].[hex:32]', 'https://infisical.com/docs/documentation/platform/token'],
  [
    '1Password service account token',
    'ops_eyJ[base64:200-2000]',
    'https://developer.1password.com/docs/service-accounts/security/',
  ],
  [
    '1Password secret key',
    'A3-[upper:6]-[upper:6]-[upper:5]-[upper:5]-[upper:5]-[upper:5]',
    'https://support.1password.com/secret-key-security/',
  ],
  ['Bitwarden access token', '0.[uuid:36].[alnum:30]:[base64:22]', 'https://bitwarden.com/help/access-tokens/'],
  ['Pulumi token', 'pul-[hex:40]', 'https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/'],
  ['Databricks token', 'dapi[hex:32]', databricks],
  ['Databricks token', 'dose[hex:32]', databricks],
  ['Databricks token', 'dkea[hex:32]', databricks],
  ['Heroku key', 'HRKU-[url:50-100]', 'https://devcenter.heroku.com/articles/authentication'],
  ['Netlify token', 'nfp_[alnum:36-64]', netlify],
  ['Netlify token', 'nfc_[alnum:36-64]', netlify],
  ['Netlify token', 'nfo_[alnum:36-64]', netlify],
  ['Netlify token', 'nfu_[alnum:36-64]', netlify],
  ['Netlify token', 'nfb_[alnum:36-64]', netlify],
  ['Vercel token', 'vcp_[alnum:24-80]', vercel],
  ['Vercel token', 'vci_[alnum:24-80]', vercel],
  ['Vercel token', 'vca_[alnum:24-80]', vercel],
  ['Vercel token', 'vcr_[alnum:24-80]', vercel],
  ['Vercel token', 'vck_[alnum:24-80]', vercel],
  ['Vercel blob token', 'vercel_blob_rw_[alnum:12-24]_[alnum:24-48]', 'https://vercel.com/docs/storage/vercel-blob'],
  ['Fly.io token', 'fo1_[url:43]', fly],
  ['Fly.io token', 'fm1r_[base64:80-4000]', fly],
  ['Fly.io token', 'fm1a_[base64:80-4000]', fly],
  ['Fly.io token', 'fm2_[base64:80-4000]', fly],
  // How such tokens begin, which looks made up.
  ['Fly.io token', 'fm2_lJPECAAAAAA[base64:60-4000]', fly],
  ['Cloudflare origin key', 'v1.0-[hex:24]-[hex:146]', cloudflare],
  ['Cloudflare token', 'cfut_[alnum:36-60]', cloudflare],
  ['Cloudflare token', 'cfat_[alnum:36-60]', cloudflare],
  ['Cloudflare key', 'cfk_[alnum:36-60]', cloudflare],
  ['Supabase key', 'sb_secret_[url:22-60]', supabase],
  ['Supabase token', 'sbp_[hex:40]', supabase],
  ['PlanetScale token', 'pscale_tkn_[tilde:32-64]', planetScale],
  ['PlanetScale token', 'pscale_oauth_[tilde:32-64]', planetScale],
  ['PlanetScale token', 'pscale_pw_[tilde:32-64]', planetScale],
  ['Neon key', 'napi_[lower:60-70]', 'https://neon.tech/docs/manage/api-keys'],
  ['Neon token', 'npg_[alnum:12-24]', 'https://neon.tech/docs/connect/connect-from-any-app'],
  ['MongoDB Atlas secret', 'mdb_sa_sk_[url:40]', 'https://www.mongodb.com/docs/atlas/api/service-accounts-overview/'],
  ['ClickHouse Cloud key', '4b1d[alnum:38]', 'https://clickhouse.com/docs/cloud/manage/openapi'],
  ['Aiven token', 'AVNS_[url:15-24]', 'https://aiven.io/docs/platform/howto/create_authentication_token'],
  [
    'Prisma key',
    'prisma+postgres://accelerate.prisma-data.net/?api_key=[url:20-40].[url:40-2000]',
    'https://www.prisma.io/docs/accelerate',
  ],
  ['Tailscale key', 'tskey-[lower:3-9]-[dash:17-80]', tailscale],
  ['Scaleway access key', 'SCW[upper:17]', 'https://www.scaleway.com/en/docs/iam/how-to/create-api-keys/'],
  ['Exoscale key', 'EXO[hex:26]', 'https://community.exoscale.com/product/iam/quick-start/'],
  ['Scalingo token', 'tk-us-[url:48]', 'https://developers.scalingo.com/tokens'],
  ['Render key', 'rnd_[alnum:28-40]', 'https://render.com/docs/api'],
  ['Alibaba Cloud access key', 'LTAI[alnum:12-26]', alibaba],
  ['Tencent Cloud secret id', 'AKID[alnum:32-36]', 'https://www.tencentcloud.com/document/product/598/32675'],
  ['Yandex Cloud key', 'AQVN[url:35-38]', yandex],
  ['Yandex Cloud access key', 'YCAJ[url:21]', yandex],
  ['Yandex Cloud secret key', 'YC[url:38]', yandex],
  ['Yandex token', 'y0_[url:50-60]', yandex],
  ['Yandex Cloud IAM token', 't1.[url:50-200].[url:86]', yandex],
  [
    'OpenShift token',
    'sha256~[url:43]',
    'https://docs.openshift.com/container-platform/latest/authentication/managing-oauth-access-tokens.html',
  ],
  ['Octopus Deploy key', 'API-[upper:25-40]', 'https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key'],
  ['defined.net key', 'dnkey-[url:26]-[url:52]', 'https://docs.defined.net/guides/rotating-api-keys/'],
  ['Prefect key', 'pnu_[lower:36]', 'https://docs.prefect.io/latest/manage/cloud/manage-users/api-keys/'],
  ['Prefect key', 'pnb_[lower:36]', 'https://docs.prefect.io/latest/manage/cloud/manage-users/api-keys/'],
];
