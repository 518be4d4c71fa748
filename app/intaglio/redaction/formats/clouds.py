"""Formats of clouds, hosted databases, platforms and keys of networks."""

import re
from typing import Final

from intaglio.redaction.formats.language import (
    KeyedFormat,
    PatternFormat,
    TokenFormat,
    is_random,
)

TOKENS: Final = (
    TokenFormat("aws-access-key", "A(KIA|SIA|BIA|CCA|3T0){upper:16}", exact=True),
    TokenFormat("aws-session-token", "(IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz){url64:60+}"),
    TokenFormat("aws-bedrock-key", "ABSK{b64:80+}"),
    TokenFormat("google-oauth-token", "ya29.{dots:30+}"),
    TokenFormat("google-refresh-token", "1//0{run:40+}"),
    TokenFormat("google-oauth-code", "4/0A{run:40+}"),
    TokenFormat("firebase-key", "AAAA{run:7}:APA91b{run:100+}"),
    TokenFormat("google-client-secret", "GOCSPX-{run:20+}"),
    TokenFormat("digitalocean-token", "do(o|p|r)_v1_{hex:64}"),
    TokenFormat("databricks-token", "d(api|kea|ose|sapi){hex:32}"),
    TokenFormat("heroku-key", "HRKU-{run:36+}"),
    TokenFormat("netlify-token", "nf(p|c|o|u|b)_{alnum:36+}"),
    TokenFormat("fly-token", "fo1_{run:43}"),
    TokenFormat("fly-token", "(fm1r|fm1a|fm2)_{b64:60+}"),
    TokenFormat("render-key", "rnd_{alnum:24+}"),
    TokenFormat("cloudflare-origin-key", "v1.0-{hex:24}-{hex:100+}"),
    TokenFormat("cloudflare-token", "cf(ut|at|k)_{alnum:40+}"),
    TokenFormat("scalingo-token", "tk-us-{run:48}"),
    TokenFormat("alibaba-key", "LTAI{alnum:16-20}", exact=True),
    TokenFormat("tencent-key", "AKID{alnum:32}", exact=True),
    TokenFormat("scaleway-key", "SCW{upper:17}", exact=True, check=is_random),
    TokenFormat("yandex-key", "AQVN{run:35-38}", exact=True),
    TokenFormat("yandex-token", "y0_{run:40+}"),
    TokenFormat("yandex-token", "t1.{run:20+}.{run:80+}"),
    TokenFormat("openshift-token", "sha256~{run:43}"),
    TokenFormat("planetscale-token", "pscale_(tkn|oauth)_{run:30+}"),
    TokenFormat("planetscale-password", "pscale_pw_{run:30+}"),
    TokenFormat("supabase-token", "sbp_{hex:40}"),
    TokenFormat("supabase-token", "sbp_(oauth|v0)_{hex:40}"),
    TokenFormat("supabase-key", "sb_secret_{run:20+}"),
    TokenFormat("neon-key", "napi_{lower:40+}"),
    TokenFormat("neon-password", "npg_{alnum:12+}"),
    TokenFormat("aiven-password", "AVNS_{run:12+}"),
    TokenFormat("cockroach-key", "CCDB1_{alnum:20+}_{alnum:30+}"),
    TokenFormat("xata-key", "xau_{alnum:30+}"),
    TokenFormat("fauna-secret", "fnA{run:37-60}", exact=True, check=is_random),
    TokenFormat("clickhouse-key", "4b1d{alnum:38}", exact=True),
    TokenFormat("confluent-secret", "cflt{b64:56+}"),
    TokenFormat("tailscale-key", "tskey-(auth|api|client|scim|webhook)-{alnum:8+}-{alnum:20+}"),
    TokenFormat("tailscale-key", "tskey-{alnum:12+}"),
    TokenFormat("defined-key", "dnkey-{run:26}-{run:40+}"),
    TokenFormat("mongodb-secret", "mdb_sa_sk_{run:32+}"),
    TokenFormat("crunchy-key", "cbkey_{alnum:30+}"),
    TokenFormat("tigris-secret", "tsec_{run:32+}"),
    TokenFormat("backblaze-key", "K00{digit:1}{alnum:27}", exact=True),
    TokenFormat("vercel-blob-token", "vercel_blob_rw_{alnum:10+}_{alnum:20+}"),
    TokenFormat("deno-token", "dd(p|o|w)_{alnum:36}"),
    TokenFormat("valtown-token", "vtwn_{alnum:20+}"),
    TokenFormat("appwrite-key", "standard_{hex:100+}"),
    TokenFormat("wallet-key", "(K|L){alnum:51}", exact=True, check=is_random),
    TokenFormat("age-secret-key", "AGE-SECRET-KEY-1{upper:58}"),
    TokenFormat("nostr-secret-key", "nsec1{lower:58}", exact=True),
    TokenFormat("wallet-key", "xprv{alnum:100+}"),
    TokenFormat("cloudflare-tunnel-token", "eyJhIjoi{b64:80+}"),
)

_B64_END = "={0,2}"

PATTERNS: Final = (
    PatternFormat(
        "azure-storage-key",
        ("Key=",),
        re.compile(rf"(?:AccountKey|SharedAccessKey)=(?P<s>[A-Za-z0-9+/]{{40,100}}+{_B64_END})"),
        "AccountName=acme;AccountKey=«{b64:86}==»;EndpointSuffix=core.windows.net",
    ),
    PatternFormat(
        "signed-url",
        ("sig=", "ignature="),
        re.compile(
            r"(?:[?&](?:sig|Signature)|X-(?:Amz|Goog)-Signature|oauth_signature)="
            rf"\"?(?P<s>[\w%+/-]{{30,1200}}+{_B64_END})"
        ),
        "https://acme.blob.core.windows.net/c/f?sv=2023-01-03&sr=b&sig=«{alnum:43}%3D»",
        is_random,
    ),
    PatternFormat(
        "azure-function-key",
        ("code=",),
        re.compile(
            rf"\.azurewebsites\.(?:net|us|cn)/[^\s\"'?]{{0,200}}\?[^\s\"']{{0,200}}?\bcode="
            rf"(?P<s>[\w%+/-]{{30,200}}+{_B64_END})"
        ),
        "https://acme.azurewebsites.net/api/orders?code=«{alnum:54}==»",
        is_random,
    ),
    PatternFormat(
        "convex-key",
        ("|eyJ2",),
        re.compile(r"(?<=[\w-]\|)(?P<s>eyJ2MiI6[A-Za-z0-9+/]{20,}+={0,2})"),
        "prod:happy-otter-123|«eyJ2MiI6{b64:60}=»",
    ),
    PatternFormat(
        "azure-client-secret",
        ("Q~",),
        re.compile(r"(?P<s>[0-9]Q~(?<=[\w~.]{3}[0-9]Q~)[\w~.-]{31,34}+)"),
        "abc«8Q~{alnum:34}»",
    ),
    PatternFormat(
        "azure-key",
        ("AZDO", "JQQJ99", "AzFu"),
        re.compile(r"\b(?P<s>[A-Za-z0-9]{36,80}?(?:AZDO|JQQJ99|AzFu)[A-Za-z0-9+/]{4,40}+={0,2})"),
        "azure «{alnum:76}AZDO{alnum:4}»",
    ),
)

KEYED: Final = (
    KeyedFormat("cloudflare-token", "cloudflare|cfapi", ("{run:40}", "{hex:37}")),
    KeyedFormat("heroku-key", "heroku", ("{uuid:1}",)),
    KeyedFormat("railway-token", "railway", ("{uuid:1}",)),
    KeyedFormat("vercel-token", "vercel", ("{alnum:24}",)),
    KeyedFormat("netlify-token", "netlify", ("{run:40-46}",)),
    KeyedFormat("upstash-token", "upstash", ("{alnum:40-120}",)),
    KeyedFormat("mongodb-key", "mongodb|atlas", ("{uuid:1}",)),
    KeyedFormat("redis-password", "redis", ("{alnum:32}",)),
    KeyedFormat("linode-token", "linode", ("{hex:64}",)),
    KeyedFormat("hetzner-token", "hetzner|hcloud", ("{alnum:64}",)),
    KeyedFormat("vultr-key", "vultr", ("{upper:36}",)),
    KeyedFormat("scaleway-key", "scaleway|scw", ("{uuid:1}",)),
    KeyedFormat("ovh-key", "ovh", ("{alnum:32}",)),
    KeyedFormat("alibaba-secret", "alibaba|aliyun", ("{alnum:30}",)),
    KeyedFormat("azure-devops-token", "azure|devops", ("{lower:52}",)),
    KeyedFormat("fastly-token", "fastly", ("{run:32}",)),
    KeyedFormat("confluent-key", "confluent", ("{alnum:64}",)),
    KeyedFormat("elastic-key", "elastic", ("{alnum:24}", "{run:54-64}")),
    KeyedFormat("tinybird-token", "tinybird", ("{dots:60+}",)),
    KeyedFormat("ngrok-token", "ngrok", ("{alnum:27}_{alnum:21}", "{alnum:49}")),
    KeyedFormat("meraki-key", "meraki", ("{hex:40}",)),
)
