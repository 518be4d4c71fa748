"""Formats of code hosts, package registries, build services and tools of teams."""

import re
from typing import Final

from intaglio.redaction.formats.language import (
    KeyedFormat,
    PatternFormat,
    TokenFormat,
    is_drawn,
    is_random,
)

TOKENS: Final = (
    TokenFormat("github-token", "gh(p|o|u|s|r)_{alnum:30+}"),
    TokenFormat("github-token", "ghs_{digit:1+}_eyJ{run:10+}.{run:10+}.{run:10+}"),
    TokenFormat("github-token", "github_pat_{alnum:20+}_{alnum:30+}"),
    TokenFormat("github-token", "github_pat_{alnum:30+}"),
    TokenFormat("gitlab-token", "gl(pat|rt|dt|ptt|ft)-{run:20+}.{lower:2}.{lower:7+}"),
    TokenFormat("gitlab-token", "gl(pat|rt|dt|ptt|ft)-{run:20+}.{lower:9}"),
    TokenFormat(
        "gitlab-token", "gl(pat|dt|rt|ft|rtr|cbt|ptt|soat|agent|imt|oas|ffct|wt)-{run:20+}"
    ),
    TokenFormat("gitlab-token", "GR1348941{run:20+}"),
    TokenFormat("bitbucket-token", "ATBB{alnum:28+}"),
    TokenFormat("bitbucket-token", "ATCTT3{run:40+}"),
    TokenFormat("atlassian-token", "ATATT3{run:40+}"),
    TokenFormat("gitea-token", "gta_{hex:40}"),
    TokenFormat("npm-token", "npm_{alnum:36+}"),
    TokenFormat("pypi-token", "pypi-AgE{run:50+}"),
    TokenFormat("rubygems-key", "rubygems_{hex:48}"),
    TokenFormat("crates-token", "cio{alnum:32}", exact=True),
    TokenFormat("nuget-key", "oy2{lower:43}", exact=True),
    TokenFormat("clojars-token", "CLOJARS_{lower:60}"),
    TokenFormat("docker-token", "dckr_(pat|oat)_{run:24+}"),
    TokenFormat("artifactory-key", "AKC(p|5){alnum:60+}"),
    TokenFormat("artifactory-token", "cmVmd{alnum:59}", exact=True),
    TokenFormat("circleci-token", "CCI(PAT|PRJ)_{alnum:22}_{hex:40}"),
    TokenFormat("buildkite-token", "bk(ua|ct|aj|at|pat)_{alnum:36+}"),
    TokenFormat("sonar-token", "sq(p|u|a|b)_{hex:40}"),
    TokenFormat("snyk-token", "snyk_(uat|sat).{hex:8}.{run:40+}"),
    TokenFormat("sourcegraph-token", "sgp_{hex:16}_{hex:40}"),
    TokenFormat("sourcegraph-token", "sgp_(local_|){hex:40}"),
    TokenFormat("deepsource-token", "dsp_{alnum:32+}"),
    TokenFormat("postman-key", "PMAK-{anyhex:20+}-{anyhex:30+}"),
    TokenFormat("vault-token", "hv(s|b|r).{run:24+}"),
    TokenFormat("doppler-token", "dp.(pt|ct|sa|scim|audit).{alnum:40+}"),
    TokenFormat("doppler-token", "dp.st.{run:3-40}.{alnum:40+}"),
    TokenFormat("doppler-token", "dp.st.{alnum:40+}"),
    TokenFormat("onepassword-token", "ops_eyJ{run:40+}"),
    TokenFormat(
        "onepassword-key", "A3-{upper:6}-{upper:6}-{upper:5}-{upper:5}-{upper:5}-{upper:5}"
    ),
    TokenFormat("infisical-token", "st.{hex:24}.{hex:32}.{hex:32}"),
    TokenFormat("pulumi-token", "pul-{hex:40}"),
    TokenFormat("infracost-key", "ico-{alnum:32}", exact=True),
    TokenFormat("octopus-key", "API-{upper:26}", exact=True),
    TokenFormat("harness-token", "(pat|sat).{run:22}.{alnum:24}.{alnum:20}"),
    TokenFormat("prefect-token", "pn(u|b)_{alnum:36}"),
    TokenFormat("linear-key", "lin_(api|oauth|wh)_{alnum:36+}"),
    TokenFormat("figma-token", "fig(d|u|o|ur)_{run:36+}"),
    TokenFormat("notion-token", "ntn_{alnum:40+}"),
    TokenFormat("notion-token", "secret_{alnum:43}", exact=True),
    TokenFormat("airtable-token", "pat{alnum:14}.{hex:64}"),
    TokenFormat("contentful-token", "CFPAT-{run:43}"),
    TokenFormat("typeform-token", "tfp_{dots:40+}"),
    TokenFormat("readme-key", "rdme_{lower:60+}"),
    TokenFormat("frameio-token", "fio-u-{run:60+}"),
    TokenFormat("adobe-secret", "p8e-{run:32}", exact=True),
    TokenFormat("clickup-token", "pk_{digit:6-9}_{upper:32}"),
    TokenFormat("hubspot-token", "pat-(na1|na2|na3|eu1|ap1)-{uuid:1}"),
    TokenFormat("intra42-secret", "s-s4t2(ud|af)-{hex:64}"),
    TokenFormat("maxmind-key", "{alnum:6}_{alnum:29}_mmk", exact=True),
    TokenFormat("settlemint-token", "sm_(aat|pat|sat)_{alnum:16}", exact=True, check=is_random),
    TokenFormat("jetbrains-token", "perm(:|-){b64:4+}.{b64:4+}.{b64:20+}"),
    TokenFormat("chromatic-token", "chpt_{alnum:12+}"),
    TokenFormat("expo-token", "expo_{run:30+}"),
    TokenFormat("axiom-token", "xa(at|pt|it)-{uuid:1}"),
    TokenFormat("checkly-key", "cu_{hex:32}", exact=True),
    TokenFormat("gitlab-token", "gloas-{run:60+}"),
    TokenFormat("trigger-key", "tr_(dev|prod|stg|preview|pat)_{alnum:20+}", check=is_random),
    TokenFormat("inngest-key", "signkey-(prod|test|branch|dev)-{hex:32+}"),
    TokenFormat("depot-token", "depot_(org|project|user)_{hex:64}"),
    TokenFormat("rootly-key", "rootly_{hex:64}"),
    TokenFormat("n8n-key", "n8n_api_{lower:40+}"),
)

PATTERNS: Final = (
    PatternFormat(
        "asana-token",
        ("0/", "1/", "2/"),
        re.compile(r"(?<![\w/])(?P<s>[012]/[0-9]{10,20}(?:/[0-9]{10,20})?:[0-9a-f]{32})(?!\w)"),
        "«1/{digit:16}:{hex:32}»",
    ),
    PatternFormat(
        "terraform-token",
        (".atlasv1.",),
        re.compile(r"(?<![A-Za-z0-9])(?P<s>[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}+)"),
        "«{alnum:14}.atlasv1.{run:67}»",
    ),
    PatternFormat(
        "appveyor-token",
        ("v2.",),
        re.compile(r"(?i:appveyor)[^\n/\\]{0,60}?(?<![\w.-])(?P<s>v2\.[a-z0-9]{20})(?![\w-]|\.\w)"),
        "APPVEYOR_TOKEN=«v2.{lower:20}»",
        is_random,
    ),
    PatternFormat(
        "django-secret-key",
        ("django-insecure-",),
        # Names in examples have no such signs.
        re.compile(
            r"(?P<s>django-insecure-(?=[\w-]{0,60}+[!@#$%^&*(=+)])[A-Za-z0-9!@#$%^&*(_=+)-]{20,100}+)"
        ),
        "«django-insecure-{alnum:20}$({alnum:10}^&*={alnum:15}»",
        is_drawn,
    ),
    PatternFormat(
        "django-secret-key",
        ("SECRET_KEY",),
        # It may look like a placeholder: ``$(`` is drawn, too.
        re.compile(
            r"SECRET_KEY(?:[\"']?\]?\s{0,3}[:=]|[\"']\s{0,3},\s{0,3}(?:default\s{0,3}=)?)\s{0,3}[\"']?"
            r"(?P<s>[A-Za-z0-9!@#$%^&*(_=+)-]{50})(?![A-Za-z0-9!@#$%^&*(_=+-])"
        ),
        "SECRET_KEY = '«{lower:20}$({lower:10}^&*={lower:14}»'",
        is_drawn,
    ),
)

KEYED: Final = (
    KeyedFormat("codecov-token", "codecov", ("{uuid:1}", "{hex:32}")),
    KeyedFormat("snyk-token", "snyk", ("{uuid:1}",)),
    KeyedFormat("sonar-token", "sonar", ("{hex:40}",)),
    KeyedFormat("circleci-token", "circleci", ("{hex:40}",)),
    KeyedFormat("travis-token", "travis", ("{alnum:22}",)),
    KeyedFormat("drone-token", "drone", ("{alnum:32}",)),
    KeyedFormat("buildkite-token", "buildkite", ("{alnum:40-50}",)),
    KeyedFormat("jira-token", "jira|atlassian|confluence", ("{alnum:24}",)),
    KeyedFormat("bitbucket-secret", "bitbucket", ("{alnum:32}", "{run:64}")),
    KeyedFormat("gitlab-token", "gitlab|privatetoken", ("{run:20}",)),
    KeyedFormat("sauce-key", "saucelabs|cypress", ("{uuid:1}",)),
    KeyedFormat("browserstack-key", "browserstack", ("{alnum:20}",)),
    KeyedFormat("codeclimate-key", "codeclimate|cctest", ("{hex:64}",)),
    KeyedFormat("coveralls-token", "coveralls", ("{alnum:32-37}",)),
    KeyedFormat("jenkins-token", "jenkins", ("11{hex:32}",)),
    KeyedFormat("gitea-token", "gitea|forgejo|codeberg|gogs", ("{hex:40}",)),
    KeyedFormat("hex-key", "hex.pm|hexapi|crowdin|lokalise", ("{hex:32}", "{hex:40}", "{hex:80}")),
    KeyedFormat("asana-token", "asana", ("{hex:32}",)),
    KeyedFormat("todoist-token", "todoist", ("{hex:40}",)),
    KeyedFormat("trello-token", "trello", ("{hex:32}", "{hex:64}")),
    KeyedFormat("linear-secret", "linear", ("{hex:32}",)),
    KeyedFormat("figma-token", "figma", ("{hex:40}",)),
    KeyedFormat("launchdarkly-key", "launchdarkly", ("{run:40}",)),
    KeyedFormat(
        "launchdarkly-key",
        "launchdarkly|sdkkey|mobilekey|ldsdk|ldclient|ldconfig|ldcli|set_config",
        ("sdk-{uuid:1}", "api-{uuid:1}", "mob-{uuid:1}"),
    ),
    KeyedFormat("statsig-key", "statsig", ("secret-{alnum:43}",)),
    KeyedFormat("phabricator-token", "phabricator|conduit", ("api-{lower:28}", "cli-{lower:28}")),
    KeyedFormat("jfrog-token", "jfrog|artifactory", ("{alnum:64}", "{alnum:73}")),
)
