"""The table of secrets that are recognized by their format; `redact.py` applies it.

Every expression starts with a literal (or a small set of characters), looks back only after it, and
repeats possessively, so that a search never walks the same characters twice.
"""

import re
from dataclasses import dataclass

_RUN = "[A-Za-z0-9_-]"
_ALNUM_30 = "[A-Za-z0-9]{30,}+"


@dataclass(frozen=True, slots=True)
class SecretPattern:
    """A format: its kind, literals of which one must occur, and an expression.

    The named group ``s`` is what is replaced. ``vary`` requires that it looks random.
    """

    kind: str
    needles: tuple[str, ...]
    regex: re.Pattern[str]
    vary: bool = True


def _token(kind: str, prefix: str, body: str, *needles: str) -> SecretPattern:
    """Return the pattern of a token with a fixed-width prefix; it ends where its characters end."""
    text = rf"(?P<s>{prefix}(?<![A-Za-z0-9_]{prefix}){body}[A-Za-z0-9_]*+)"
    return SecretPattern(kind, needles or (prefix.replace("\\", ""),), re.compile(text))


def _other(kind: str, text: str, *needles: str, vary: bool = True) -> SecretPattern:
    """Return a pattern for a complete expression."""
    return SecretPattern(kind, needles, re.compile(text), vary)


_MODELS = (
    _token("anthropic-key", "sk-ant-", f"{_RUN}{{20,}}+"),
    _token("openai-key", "sk-proj-", f"{_RUN}{{20,}}+"),
    _token("openai-key", "sk-svcacct-", f"{_RUN}{{20,}}+"),
    _token("openai-key", "sk-admin-", f"{_RUN}{{20,}}+"),
    _token("openrouter-key", "sk-or-", f"{_RUN}{{20,}}+"),
    _token("openai-key", "sk-", "(?=[a-z]*+[A-Z0-9])[A-Za-z0-9]{20,}+"),
    _token("huggingface-token", "hf_", _ALNUM_30),
    _token("groq-key", "gsk_", "[A-Za-z0-9]{40,}+"),
    _token("perplexity-key", "pplx-", "[A-Za-z0-9]{40,}+"),
    _token("replicate-token", "r8_", "[A-Za-z0-9]{36,}+"),
    _token("xai-key", "xai-", "[A-Za-z0-9]{60,}+"),
)

_CODE = (
    _token(
        "github-token", "gh[pousr]_", "[A-Za-z0-9]{30,}+", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"
    ),
    _token("github-token", "github_pat_", "[A-Za-z0-9_]{30,}+"),
    _token("gitlab-token", "glpat-", f"{_RUN}{{20,}}+"),
    _token("gitlab-token", "gl[dfr]t-", f"{_RUN}{{20,}}+", "gldt-", "glrt-", "glft-"),
    _token("gitlab-token", "gl(?:ptt|cbt|oas)-", f"{_RUN}{{20,}}+", "glptt-", "glcbt-", "gloas-"),
    _token("npm-token", "npm_", "[A-Za-z0-9]{36,}+"),
    _token("pypi-token", "pypi-", f"AgE{_RUN}{{50,}}+"),
    _token("rubygems-key", "rubygems_", "[0-9a-f]{48}"),
    _token("crates-token", "cio", "[A-Za-z0-9]{32}"),
    _token("docker-token", "dckr_[po]at_", f"{_RUN}{{24,}}+", "dckr_pat_", "dckr_oat_"),
    _token("atlassian-token", "ATATT3", f"{_RUN}{{40,}}+=?"),
    _token("bitbucket-token", "ATBB", "[A-Za-z0-9]{28,}+"),
    _token("linear-key", "lin_api_", "[A-Za-z0-9]{36,}+"),
    _token("figma-token", "fig[du]_", f"{_RUN}{{36,}}+", "figd_", "figu_"),
    _token("notion-token", "ntn_", "[A-Za-z0-9]{40,}+"),
    _token("postman-key", "PMAK-", "[A-Fa-f0-9]{20,}+-[A-Fa-f0-9]{30,}+"),
    _token("sentry-token", "sntry[su]_", "[A-Za-z0-9_=+/-]{40,}+", "sntrys_", "sntryu_"),
    _token("grafana-token", "glsa_", "[A-Za-z0-9_]{32,}+"),
    _token("grafana-token", "glc_", "[A-Za-z0-9+/]{32,}+={0,2}"),
    _token("newrelic-key", "NRAK-", "[A-Z0-9]{27}"),
)

_CLOUDS = (
    _token(
        "aws-access-key", "A(?:KIA|SIA|BIA|CCA)", "[0-9A-Z]{16}", "AKIA", "ASIA", "ABIA", "ACCA"
    ),
    _token("google-api-key", "AIza", f"{_RUN}{{35}}"),
    _token("google-oauth-token", r"ya29\.", f"{_RUN}{{30,}}+"),
    _token("google-client-secret", "GOCSPX-", f"{_RUN}{{20,}}+"),
    _other(
        "azure-storage-key",
        "(?:AccountKey|SharedAccessKey)=(?P<s>[A-Za-z0-9+/]{40,100}+={0,2})",
        "AccountKey=",
        "SharedAccessKey=",
    ),
    _other("azure-sas-signature", "[?&]sig=(?P<s>[A-Za-z0-9%+/]{30,200}+={0,2})", "sig="),
    _other("azure-client-secret", r"(?P<s>[0-9]Q~(?<=[\w~.]{3}[0-9]Q~)[\w~.-]{31,34}+)", "Q~"),
    _token("digitalocean-token", "do[opr]_v1_", "[a-f0-9]{64}", "dop_v1_", "doo_v1_", "dor_v1_"),
    _token("databricks-token", "dapi", "[a-f0-9]{32}(?:-[0-9])?"),
    _token("vault-token", r"hv[sbr]\.", f"{_RUN}{{24,}}+", "hvs.", "hvb.", "hvr."),
    _other(
        "terraform-token",
        rf"\.atlasv1\.(?<=[A-Za-z0-9]{{14}}\.atlasv1\.)(?P<s>{_RUN}{{60,}}+)",
        ".atlasv1.",
    ),
    _token("heroku-key", "HRKU-", f"{_RUN}{{36,}}+"),
    _token("netlify-token", "nfp_", "[A-Za-z0-9]{36,}+"),
    _token("planetscale-token", "pscale_tkn_", f"{_RUN}{{30,}}+"),
    _token("planetscale-password", "pscale_pw_", f"{_RUN}{{30,}}+"),
    _token("supabase-token", "sbp_", "[a-f0-9]{40}"),
    _token("tailscale-key", "tskey-", "[a-z]{3,8}+-[A-Za-z0-9-]{20,}+"),
    _token("pulumi-token", "pul-", "[a-f0-9]{40}"),
    _token("doppler-token", r"dp\.(?:pt|st|ct|sa)\.", r"[A-Za-z0-9.]{40,}+", "dp."),
    _token("onepassword-token", "ops_", f"eyJ{_RUN}{{40,}}+"),
    _token("age-secret-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
)

_SERVICES = (
    _token("slack-token", "xox[abeoprs]-", "[A-Za-z0-9-]{10,}+", "xox"),
    _token("slack-token", "xapp-", "[A-Za-z0-9-]{20,}+"),
    _other(
        "slack-webhook",
        r"hooks\.slack\.com/(?:services|workflows)/(?P<s>[A-Za-z0-9/_]{20,}+)",
        "hooks.slack.com/",
    ),
    _token("stripe-key", "[sr]k_(?:live|test)_", "[A-Za-z0-9]{16,}+", "k_live_", "k_test_"),
    _token("stripe-webhook-secret", "whsec_", "[A-Za-z0-9+/]{24,}+={0,2}"),
    _other(
        "sendgrid-key", rf"(?P<s>SG\.(?<![A-Za-z0-9_]SG\.){_RUN}{{16,}}+\.{_RUN}{{16,}}+)", "SG."
    ),
    _token("twilio-key", "SK", "[0-9a-f]{32}"),
    _token("mailgun-key", "key-", "[0-9a-f]{32}"),
    _other(
        "mailchimp-key",
        r"(?P<s>\b[0-9a-f]{32}-us[0-9]{1,2}\b)",
        *(f"-us{digit}" for digit in range(1, 10)),
    ),
    _other("telegram-bot-token", rf"(?P<s>:AA(?<=[0-9]{{8}}:AA){_RUN}{{30,}}+)", ":AA"),
    _other(
        "discord-token",
        rf"(?P<s>[MNO](?<![A-Za-z0-9_-].){_RUN}{{22,30}}+\.{_RUN}{{6}}\.{_RUN}{{27,}}+)",
        ".",
    ),
    _other(
        "discord-webhook",
        rf"discord(?:app)?\.com/api/webhooks/[0-9]{{10,25}}/(?P<s>{_RUN}{{30,}}+)",
        "/api/webhooks/",
    ),
    _token("shopify-token", "shp(?:at|ss|ca|pa)_", "[a-fA-F0-9]{32}", "shpat_", "shpss_", "shpca_"),
    _token("square-token", "sq0[a-z]{3}-", f"{_RUN}{{22,}}+", "sq0"),
    _token("dropbox-token", r"sl\.", f"{_RUN}{{100,}}+"),
    _token("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _other(
        "jwt",
        rf"(?P<s>eyJ(?<![A-Za-z0-9_-]eyJ){_RUN}{{8,}}+\.eyJ{_RUN}{{8,}}+(?:\.{_RUN}*+)?)",
        "eyJ",
    ),
)

RULES: tuple[SecretPattern, ...] = (*_MODELS, *_CODE, *_CLOUDS, *_SERVICES)
