"""Formats of mail, payment, chat, observability and other services, and of signed tokens."""

import re
from typing import Final

from intaglio.redaction.formats.language import (
    KeyedFormat,
    PatternFormat,
    TokenFormat,
    is_random,
)

_RUN = "[A-Za-z0-9_-]"

TOKENS: Final = (
    TokenFormat("slack-token", "xox(a|b|e|o|p|r|s|c|d)-{run:10+}"),
    TokenFormat("slack-token", "xoxe.xox(b|p)-{run:20+}"),
    TokenFormat("slack-token", "xapp-{run:20+}"),
    TokenFormat("stripe-key", "(sk|rk)_(live|test|prod)_{alnum:16+}"),
    TokenFormat("stripe-key", "(sk_org|ek)_(live|test)_{alnum:16+}"),
    TokenFormat("woocommerce-key", "(ck|cs)_{hex:40}", exact=True),
    TokenFormat("discord-token", "mfa.{run:80+}"),
    TokenFormat("webhook-secret", "whsec_{b64:24+}"),
    TokenFormat("sendgrid-key", "SG.{run:16+}.{run:16+}"),
    TokenFormat("mandrill-key", "md-{run:22}", exact=True, check=is_random),
    TokenFormat("mailersend-token", "mlsn.{hex:60+}"),
    TokenFormat("resend-key", "re_{alnum:8}_{alnum:24}"),
    TokenFormat("brevo-key", "x(key|smtp)sib-{hex:64}-{alnum:16}"),
    TokenFormat("square-token", "sq0(atp|csp|idp)-{run:22+}"),
    TokenFormat("square-token", "EAAA{run:56-60}", exact=True),
    TokenFormat("paypal-token", "access_token$(production|sandbox)${lower:16}${hex:32}"),
    TokenFormat("paypal-token", "A21AA{run:60+}"),
    TokenFormat("plaid-token", "access-(sandbox|development|production)-{uuid:1}"),
    TokenFormat("paddle-key", "pdl_(live|sdbx)_apikey_{lower:26}_{alnum:22}_{alnum:3}"),
    TokenFormat("paddle-key", "pdl_ntfset_{lower:26}_{b64:24+}"),
    TokenFormat("flutterwave-key", "FLWSECK(_TEST|)-{anyhex:32}-X"),
    TokenFormat("shippo-token", "shippo_(live|test)_{anyhex:40}"),
    TokenFormat("easypost-key", "EZ(AK|TK){alnum:54}", exact=True),
    TokenFormat("duffel-token", "duffel_(test|live)_{run:43}"),
    TokenFormat("mollie-key", "(live|test)_{alnum:30}", exact=True, check=is_random),
    TokenFormat("gocardless-token", "live_{run:40}", exact=True, check=is_random),
    TokenFormat("lob-key", "(live|test)_{hex:35}", exact=True),
    TokenFormat("shopify-token", "shp(at|ca|pa|ss|tka|ua)_{anyhex:32}"),
    TokenFormat("twilio-key", "SK{hex:32}", exact=True),
    TokenFormat("dropbox-token", "sl.(u.|){run:80+}"),
    TokenFormat("facebook-token", "EAA(M|C|B|G){alnum:80+}"),
    TokenFormat("instagram-token", "IG(QV|AA){run:80+}"),
    TokenFormat("matrix-token", "syt_{alnum:4+}_{alnum:16+}_{alnum:6}"),
    TokenFormat("intercom-token", "dG9rO{b64:50+}"),
    TokenFormat("sentry-token", "sntrys_{b64:40+}"),
    TokenFormat("sentry-token", "sntryu_{hex:60+}"),
    TokenFormat("grafana-token", "glsa_{alnum:32}_{anyhex:8}"),
    TokenFormat("grafana-token", "glc_{b64:32+}"),
    TokenFormat("grafana-token", "eyJrIjoi{alnum:60+}"),
    TokenFormat("newrelic-key", "NR(AK|SP)-{upper:27}"),
    TokenFormat("newrelic-key", "NRII-{run:32}"),
    TokenFormat("newrelic-key", "NRJS-{hex:19}"),
    TokenFormat("honeycomb-key", "hc(a|b|x)(i|l|m)(k|c)_{lower:50+}"),
    TokenFormat("posthog-key", "ph(x|s)_{alnum:40+}"),
    TokenFormat("dynatrace-token", "dt0(c|s)01.{upper:24}.{upper:64}"),
    TokenFormat("mapbox-token", "sk.eyJ{run:40+}.{run:20+}"),
    TokenFormat("okta-token", "SSWS 00{run:40}"),
    TokenFormat("discord-token", "(M|N|O){run:22-30}.{run:6}.{run:27+}"),
    TokenFormat("mailchimp-key", "{hex:32}-us{digit:1-2}", exact=True),
    TokenFormat("newrelic-license", "{lower:36}NRAL", exact=True),
    TokenFormat("mailgun-key", "{hex:32}-{hex:8}-{hex:8}", exact=True),
    TokenFormat("ory-token", "ory_(at|rt|ac|pat|st|apikey)_{run:20+}"),
    TokenFormat("polar-token", "polar_(oat|pat|at_o|at_u|rt_o|rt_u|cst)_{run:30+}"),
    TokenFormat("unkey-key", "unkey_{alnum:20+}"),
    TokenFormat("ntfy-token", "tk_{lower:29}", exact=True, check=is_random),
    TokenFormat("vk-token", "vk1.a.{run:80+}"),
    TokenFormat("jwt", "eyJ{run:14+}.eyJ{run:8+}.{run:20+}"),
    TokenFormat("jwt", "eyJ{run:14+}.eyJ{run:8+}"),
    TokenFormat("jwt", "eyJ{run:14+}..{run:8+}.{run:8+}.{run:8+}"),
    TokenFormat("jwt", "eyJ{run:14+}.{run:40+}.{run:8+}.{run:8+}.{run:8+}"),
    TokenFormat("jwt", "ZXlK{b64:60+}"),
)

PATTERNS: Final = (
    PatternFormat(
        "slack-webhook",
        ("hook",),
        re.compile(
            r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/_+]{20,}+)"
        ),
        "https://hooks.slack.com/services/«T{upper:8}/B{upper:10}/{alnum:24}»",
    ),
    PatternFormat(
        "webhook",
        (
            *("hooks.zapier.com", ".make.com/", "maker.ifttt.com", "qyapi.weixin", "dingtalk.com"),
            *("/open-apis/bot/", "/webhook-test/"),
        ),
        re.compile(
            r"(?:hooks\.zapier\.com/hooks/catch/[0-9]{4,12}/|maker\.ifttt\.com/[^\s\"']{1,80}?/key/|"
            r"qyapi\.weixin\.qq\.com/[^\s\"']{1,60}?key=|(?:feishu\.cn|larksuite\.com)/"
            r"open-apis/bot/v2/hook/|hook\.(?:[a-z0-9]{2,4}\.)?make\.com/|/webhook-test/|"
            r"dingtalk\.com/robot/send\?access_token=)(?P<s>[\w-]{6,80}+)"
        ),
        "https://hooks.zapier.com/hooks/catch/{digit:7}/«{lower:7}»/",
        bool,
    ),
    PatternFormat(
        "mailgun-key",
        ("key-",),
        # Mailgun's user is always called ``api``: `api:key-…`, `("api", "key-…")`.
        re.compile(r"\bapi[\"']?\s{0,2}[:,]\s{0,2}[\"']?(?P<s>key-[0-9a-f]{32})(?![\w-])"),
        "auth=('api', '«key-{hex:32}»')",
    ),
    PatternFormat(
        "teams-webhook",
        ("hook",),
        re.compile(r"/IncomingWebhook/(?P<s>[a-f0-9]{32}(?:/[\w-]{36})?)"),
        "https://acme.webhook.office.com/webhookb2/{uuid:1}@{uuid:1}/IncomingWebhook/«{hex:32}»/x",
    ),
    PatternFormat(
        "discord-webhook",
        ("hook",),
        re.compile(rf"discord(?:app)?\.com/api/webhooks/[0-9]{{10,25}}/(?P<s>{_RUN}{{30,}}+)"),
        "https://discord.com/api/webhooks/{digit:18}/«{run:68}»",
    ),
    PatternFormat(
        "chat-webhook",
        ("chat.googleapis.com",),
        re.compile(
            rf"chat\.googleapis\.com/[^\s\"'?]{{1,80}}\?key=[\w-]{{1,60}}&token=(?P<s>{_RUN}{{30,}}+)"
        ),
        "https://chat.googleapis.com/v1/spaces/AAAA/messages?key=k&token=«{run:43}»",
    ),
    PatternFormat(
        "adyen-key",
        ("AQE",),
        re.compile(
            r"(?P<s>AQE(?<![A-Za-z0-9_]AQE)[A-Za-z0-9+/]{40,}+={0,2}"
            r"(?:-[A-Za-z0-9+/]{20,}+={0,2}(?:-[^\s\"'`]{8,40}+)?)?)"
        ),
        "«AQE{alnum:61}-{b64:43}=-{alnum:16}»",
    ),
    PatternFormat(
        "telegram-bot-token",
        (":A",),
        re.compile(rf"(?<![0-9])(?P<s>[0-9]{{8,10}}:A(?:A{_RUN}{{30,}}+|{_RUN}{{34}}(?!{_RUN})))"),
        "«{digit:10}:AA{run:33}»",
    ),
    PatternFormat(
        "salesforce-token",
        ("00D",),
        re.compile(r"(?P<s>00D[A-Za-z0-9]{9,15}+![\w.]{60,}+)"),
        "«00D{alnum:12}!{alnum:96}»",
    ),
    PatternFormat(
        "cloudinary-secret",
        ("cloudinary://",),
        re.compile(rf"cloudinary://[0-9]{{6,20}}:(?P<s>{_RUN}{{20,40}}+)@"),
        "cloudinary://{digit:15}:«{run:27}»@acme",
    ),
    PatternFormat(
        "one-time-code-secret",
        ("otpauth",),
        re.compile(
            r"otpauth(?:-migration)?://[^\s\"']{1,200}?(?:secret|data)=(?P<s>[A-Za-z0-9%+/=]{16,400}+)"
        ),
        "otpauth://totp/Acme:joe?secret=«{base32:32}»&issuer=Acme",
    ),
    PatternFormat(
        "twitch-token",
        ("oauth:",),
        re.compile(r"(?<![a-z])oauth:(?P<s>[a-z0-9]{30})\b"),
        "irc pass oauth:«{lower:30}»",
    ),
)

KEYED: Final = (
    KeyedFormat("postmark-token", "postmark", ("{uuid:1}",)),
    KeyedFormat("mailgun-key", "mailgun", ("key-{hex:32}", "pubkey-{hex:32}")),
    KeyedFormat("klaviyo-key", "klaviyo", ("pk_{hex:34}",)),
    KeyedFormat("mailjet-key", "mailjet", ("{hex:32}",)),
    KeyedFormat("sparkpost-key", "sparkpost", ("{hex:40}",)),
    KeyedFormat("plaid-secret", "plaid", ("{alnum:30}",)),
    KeyedFormat("braintree-key", "braintree", ("{hex:32}",)),
    KeyedFormat("paypal-secret", "paypal", ("{run:80}",)),
    KeyedFormat("razorpay-secret", "razorpay", ("{alnum:24}",)),
    KeyedFormat("coinbase-secret", "coinbase", ("{run:64}", "{alnum:32}")),
    KeyedFormat("twilio-token", "twilio", ("{hex:32}",)),
    KeyedFormat("messagebird-key", "messagebird", ("{alnum:25}",)),
    KeyedFormat("mattermost-token", "mattermost", ("{lower:26}",)),
    KeyedFormat("discord-secret", "discord", ("{run:32}", "{hex:64}")),
    KeyedFormat("datadog-key", "datadog|ddap", ("{hex:32}", "{hex:40}")),
    KeyedFormat("newrelic-key", "newrelic", ("{hex:40}", "{lower:64}")),
    KeyedFormat("sentry-token", "sentry", ("{hex:64}",)),
    KeyedFormat("honeycomb-key", "honeycomb", ("{hex:32}", "{alnum:22}")),
    KeyedFormat("rollbar-token", "rollbar|bugsnag|airbrake", ("{hex:32}",)),
    KeyedFormat("logging-token", "loggly|logzio|logz.io|logentries", ("{uuid:1}", "{alnum:32}")),
    KeyedFormat("splunk-token", "splunk", ("{uuid:1}",)),
    KeyedFormat("pagerduty-key", "pagerduty|opsgenie", ("{run:20}", "{uuid:1}")),
    KeyedFormat("sumologic-key", "sumo", ("{alnum:64}",)),
    KeyedFormat("okta-token", "okta", ("00{run:40}",)),
    KeyedFormat("auth0-secret", "auth0", ("{run:64}",)),
    KeyedFormat("algolia-key", "algolia", ("{hex:32}",)),
    KeyedFormat("twitter-key", "twitter", ("{alnum:25}", "{alnum:45}", "{alnum:50}")),
    KeyedFormat("twitch-token", "twitch", ("{lower:30}",)),
    KeyedFormat("spotify-secret", "spotify", ("{hex:32}",)),
    KeyedFormat("facebook-secret", "facebook", ("{hex:32}",)),
    KeyedFormat("zendesk-token", "zendesk", ("{alnum:40}",)),
    KeyedFormat("squarespace-token", "squarespace|sendbird", ("{uuid:1}", "{hex:40}")),
    KeyedFormat("rapidapi-key", "rapidapi", ("{lower:50}",)),
    KeyedFormat("segment-key", "segment|amplitude|mixpanel", ("{alnum:32}",)),
    KeyedFormat("sanity-token", "sanity", ("sk{alnum:80+}",)),
    KeyedFormat("dropbox-token", "dropbox", ("{run:64}",)),
    KeyedFormat("maps-key", "openweather|owmapi|newsapi|tmdb", ("{hex:32}",)),
)
