import type { TokenFormat } from './tokenFormat.ts';

const slack = 'https://docs.slack.dev/authentication/tokens/';
const slackWebhook = 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/';
const discord = 'https://discord.com/developers/docs/reference#authentication';
const discordWebhook = 'https://discord.com/developers/docs/resources/webhook';
const telegram = 'https://core.telegram.org/bots/api#authorizing-your-bot';
const twilio = 'https://www.twilio.com/docs/iam/api-keys';
const mailgun = 'https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt';
const brevo = 'https://developers.brevo.com/docs/getting-started';
const meta = 'https://developers.facebook.com/docs/facebook-login/guides/access-tokens/';
const stripe = 'https://docs.stripe.com/keys';
const square = 'https://developer.squareup.com/docs/build-basics/access-tokens';
const shopify = 'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens';
const plaid = 'https://plaid.com/docs/quickstart/glossary/';
const lob = 'https://docs.lob.com/#tag/Authentication';
const easyPost = 'https://docs.easypost.com/docs/authentication';
const flutterwave = 'https://developer.flutterwave.com/v3.0.0/docs/authentication';
const wooCommerce = 'https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication';
const grafana = 'https://grafana.com/docs/grafana/latest/administration/service-accounts/';
const newRelic = 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/';
const sentry = 'https://docs.sentry.io/account/auth-tokens/';
const dynatrace = 'https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients';
const axiom = 'https://axiom.co/docs/reference/tokens';
const honeycomb = 'https://docs.honeycomb.io/get-started/best-practices/api-keys/';
const shippo = 'https://docs.goshippo.com/docs/guides_general/authentication/';

/** Messages, mail, payments, shops and the watching of services. */
export const serviceFormats: readonly TokenFormat[] = [
  ['Slack token', 'xoxb-[dash:20-200]', slack],
  ['Slack token', 'xoxp-[dash:20-200]', slack],
  ['Slack token', 'xoxa-[dash:20-200]', slack],
  ['Slack token', 'xoxa-2-[dash:20-200]', slack],
  ['Slack token', 'xoxr-[dash:20-200]', slack],
  ['Slack token', 'xoxs-[dash:20-200]', slack],
  ['Slack token', 'xoxo-[dash:20-200]', slack],
  ['Slack token', 'xoxc-[dash:20-200]', slack],
  ['Slack cookie', 'xoxd-[percent:20-400]', slack],
  ['Slack token', 'xoxe-[dash:20-400]', slack],
  ['Slack token', 'xoxe.xoxb-[dash:20-400]', slack],
  ['Slack token', 'xoxe.xoxp-[dash:20-400]', slack],
  ['Slack token', 'xapp-[digits:1]-[upper:8-14]-[digits:10-14]-[lower:40-80]', slack],
  ['Slack token', 'xwfp-[dash:20-200]', slack],
  ['Slack webhook', 'hooks.slack.com/services/[upper:8-14]/[upper:8-14]/[alnum:18-30]', slackWebhook],
  ['Slack webhook', 'hooks.slack.com/workflows/[upper:8-14]/[upper:8-14]/[digits:10-24]/[alnum:18-30]', slackWebhook],
  ['Slack webhook', 'hooks.slack.com/triggers/[upper:8-14]/[digits:10-24]/[alnum:18-40]', slackWebhook],
  ['Discord webhook', 'discord.com/api/webhooks/[digits:16-20]/[url:50-100]', discordWebhook],
  ['Discord webhook', 'discordapp.com/api/webhooks/[digits:16-20]/[url:50-100]', discordWebhook],
  ...['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'].map(
    (start): TokenFormat => ['Discord bot token', `${start}[alnum:20-28].[url:6-7].[url:27-40]`, discord],
  ),
  ['Discord bot token', 'mfa.[url:84]', discord],
  [
    'Microsoft Teams webhook',
    'webhook.office.com/webhookb2/[uuid:36]@[uuid:36]/IncomingWebhook/[hex:32]/[uuid:36]',
    'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
  ],
  [
    'Zapier webhook',
    'hooks.zapier.com/hooks/catch/[digits:5-10]/[alnum:5-10]',
    'https://zapier.com/blog/what-are-webhooks/',
  ],
  [
    'Feishu webhook',
    'open.feishu.cn/open-apis/bot/v2/hook/[uuid:36]',
    'https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot',
  ],
  [
    'WeCom webhook',
    'qyapi.weixin.qq.com/cgi-bin/webhook/send?key=[uuid:36]',
    'https://developer.work.weixin.qq.com/document/path/91770',
  ],
  ['Twitch token', 'oauth:[lower:30]', 'https://dev.twitch.tv/docs/irc/authenticate-bot/'],
  ['Telegram bot token', '[digits:8-16]:AA[url:32-36]', telegram],
  ['Twilio key', 'SK[hex:32]', twilio],
  ['Twilio account', 'AC[hex:32]', twilio],
  [
    'SendGrid key',
    'SG.[url:16-32].[url:32-64]',
    'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
  ],
  ['Mailgun key', 'key-[lower:32]', mailgun],
  ['Mailgun key', '[hex:32]-[hex:8]-[hex:8]', mailgun],
  ['Mailchimp key', '[hex:32]-us[digits:1-2]', 'https://mailchimp.com/developer/marketing/guides/quick-start/'],
  ['Mandrill key', 'md-[url:22]', 'https://mailchimp.com/developer/transactional/guides/quick-start/'],
  ['Brevo key', 'xkeysib-[hex:64]-[alnum:16]', brevo],
  ['Brevo key', 'xsmtpsib-[hex:64]-[alnum:16]', brevo],
  ['Resend key', 're_[alnum:6-10]_[alnum:20-30]', 'https://resend.com/docs/dashboard/api-keys/introduction'],
  [
    'Intercom token',
    'dG9rO[base64:54-60]',
    'https://developers.intercom.com/docs/build-an-integration/learn-more/authentication',
  ],
  ['HubSpot token', 'pat-na1-[uuid:36]', 'https://developers.hubspot.com/docs/guides/apps/private-apps/overview'],
  ['HubSpot token', 'pat-na2-[uuid:36]', 'https://developers.hubspot.com/docs/guides/apps/private-apps/overview'],
  ['HubSpot token', 'pat-eu1-[uuid:36]', 'https://developers.hubspot.com/docs/guides/apps/private-apps/overview'],
  ['OneSignal key', 'os_v2_app_[lower:90-120]', 'https://documentation.onesignal.com/docs/keys-and-ids'],
  ['PubNub key', 'sec-c-[alnum:40-60]', 'https://www.pubnub.com/docs/general/setup/account-setup'],
  ['Facebook token', 'EAA[alnum:60-400]', meta],
  ['Facebook app token', '[digits:15-16]|[url:27-40]', meta],
  ['Instagram token', 'IGQV[url:60-300]', meta],
  [
    'Twitter bearer token',
    'AAAAAAAAAAAAAAAAAAAA[percent:60-200]',
    'https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/bearer-tokens',
  ],
  [
    'LinkedIn client secret',
    'WPL_AP1.[alnum:12-20].[base64:6-12]',
    'https://learn.microsoft.com/en-us/linkedin/shared/authentication/client-credentials-flow',
  ],
  ['VK token', 'vk1.a.[url:60-400]', 'https://dev.vk.com/en/api/access-token/getting-started'],
  ['Pinterest token', 'pina_[alnum:32-200]', 'https://developers.pinterest.com/docs/getting-started/connect-app/'],
  ['Stripe key', 'sk_live_[alnum:16-247]', stripe],
  ['Stripe key', 'sk_test_[alnum:16-247]', stripe],
  ['Stripe key', 'rk_live_[alnum:16-247]', stripe],
  ['Stripe key', 'rk_test_[alnum:16-247]', stripe],
  ['Stripe key', 'sk_org_[loose:20-247]', stripe],
  ['Stripe webhook secret', 'whsec_[base64:24-64]', 'https://docs.stripe.com/webhooks'],
  ['Square token', 'EAAA[url:58-64]', square],
  ['Square token', 'sq0atp-[url:22]', square],
  ['Square secret', 'sq0csp-[url:43]', square],
  [
    'PayPal access token',
    'access_token$production$[lower:16]$[hex:32]',
    'https://developer.paypal.com/braintree/docs/guides/authorization/access-token',
  ],
  [
    'PayPal access token',
    'access_token$sandbox$[lower:16]$[hex:32]',
    'https://developer.paypal.com/braintree/docs/guides/authorization/access-token',
  ],
  ['PayPal token', 'A21AA[url:60-200]', 'https://developer.paypal.com/api/rest/authentication/'],
  ['Shopify token', 'shpat_[anyHex:32]', shopify],
  ['Shopify token', 'shpca_[anyHex:32]', shopify],
  ['Shopify token', 'shppa_[anyHex:32]', shopify],
  ['Shopify secret', 'shpss_[anyHex:32]', shopify],
  ['Shopify token', 'shpua_[anyHex:32]', shopify],
  ['Shopify token', 'shptka_[anyHex:32]', shopify],
  ['WooCommerce key', 'ck_[hex:40]', wooCommerce],
  ['WooCommerce secret', 'cs_[hex:40]', wooCommerce],
  ['Plaid token', 'access-sandbox-[uuid:36]', plaid],
  ['Plaid token', 'access-development-[uuid:36]', plaid],
  ['Plaid token', 'access-production-[uuid:36]', plaid],
  ['Lob key', 'live_[hex:35]', lob],
  ['Lob key', 'test_[hex:35]', lob],
  [
    'GoCardless token',
    'live_[url:40]',
    'https://developer.gocardless.com/getting-started/api/making-your-first-request/',
  ],
  ['Mollie key', 'live_[alnum:30]', 'https://docs.mollie.com/reference/authentication'],
  ['Mollie key', 'test_[alnum:30]', 'https://docs.mollie.com/reference/authentication'],
  ['Mollie token', 'access_[alnum:30-60]', 'https://docs.mollie.com/reference/authentication'],
  ['EasyPost key', 'EZAK[alnum:54]', easyPost],
  ['EasyPost key', 'EZTK[alnum:54]', easyPost],
  ['Flutterwave key', 'FLWSECK_TEST-[anyHex:12-40]', flutterwave],
  ['Flutterwave key', 'FLWSECK_TEST-[lower:32]-X', flutterwave],
  ['Flutterwave key', 'FLWSECK_TEST[lower:12]', flutterwave],
  ['Flutterwave key', 'FLWSECK-[lower:32]-[dash:1-20]', flutterwave],
  ['Flutterwave key', 'FLWPUBK_TEST-[anyHex:32]-X', flutterwave],
  ['Razorpay key', 'rzp_live_[alnum:14-24]', 'https://razorpay.com/docs/payments/dashboard/account-settings/api-keys/'],
  ['Razorpay key', 'rzp_test_[alnum:14-24]', 'https://razorpay.com/docs/payments/dashboard/account-settings/api-keys/'],
  [
    'Mercado Pago token',
    'APP_USR-[digits:10-18]-[digits:6]-[alnum:32]-[digits:5-12]',
    'https://www.mercadopago.com/developers/en/docs/your-integrations/credentials',
  ],
  [
    'Paddle key',
    'pdl_live_apikey_[lower:26]_[alnum:22]_[alnum:3]',
    'https://developer.paddle.com/api-reference/about/api-keys',
  ],
  [
    'Paddle key',
    'pdl_sdbx_apikey_[lower:26]_[alnum:22]_[alnum:3]',
    'https://developer.paddle.com/api-reference/about/api-keys',
  ],
  ['Adyen key', 'AQE[alnum:100-250]', 'https://docs.adyen.com/development-resources/api-credentials/'],
  ['Shippo token', 'shippo_live_[hex:40]', shippo],
  ['Shippo token', 'shippo_test_[hex:40]', shippo],
  ['Grafana token', 'glsa_[alnum:32]_[anyHex:8]', grafana],
  ['Grafana Cloud token', 'glc_[base64:32-400]', grafana],
  ['Grafana key', 'eyJrIjoi[base64:60-400]', grafana],
  ['New Relic key', 'NRAK-[upper:27]', newRelic],
  ['New Relic key', 'NRII-[url:32]', newRelic],
  ['New Relic key', 'NRIQ-[url:32]', newRelic],
  ['New Relic key', 'NRRA-[hex:42]', newRelic],
  ['New Relic key', 'NRSP-[alnum:20-60]', newRelic],
  ['New Relic license key', '[hex:36]NRAL', newRelic],
  ['New Relic license key', '[hex:32]FFFFNRAL', newRelic],
  ['Sentry token', 'sntrys_[loose:80-600]', sentry],
  ['Sentry token', 'sntryu_[hex:64]', sentry],
  ['Dynatrace token', 'dt0c01.[upper:24].[upper:64]', dynatrace],
  ['Dynatrace token', 'dt0s01.[upper:8].[upper:64]', dynatrace],
  ['Dynatrace token', 'dt0s02.[upper:8].[upper:64]', dynatrace],
  ['Dynatrace token', 'dt0s16.[upper:24].[upper:64]', dynatrace],
  ['Axiom token', 'xaat-[uuid:36]', axiom],
  ['Axiom token', 'xapt-[uuid:36]', axiom],
  ['Honeycomb key', 'hcaik_[lower:58-62]', honeycomb],
  ['Honeycomb key', 'hcbik_[lower:58-62]', honeycomb],
  ['Honeycomb key', 'hcamk_[lower:58-62]', honeycomb],
  [
    'Logfire token',
    'pylf_v[digits:1]_[lower:2]_[alnum:43]',
    'https://logfire.pydantic.dev/docs/how-to-guides/create-write-tokens/',
  ],
  ['PostHog key', 'phx_[alnum:40-50]', 'https://posthog.com/docs/api'],
  [
    'Settlemint token',
    'sm_aat_[alnum:16]',
    'https://console.settlemint.com/documentation/platform-components/security-and-authentication/application-access-tokens',
  ],
  [
    'Settlemint token',
    'sm_pat_[alnum:16]',
    'https://console.settlemint.com/documentation/platform-components/security-and-authentication/personal-access-tokens',
  ],
  ['Okta token', 'SSWS 00[url:40]', 'https://developer.okta.com/docs/guides/create-an-api-token/main/'],
];
