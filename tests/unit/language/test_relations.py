"""What a newer statement does to an older one."""

import numpy as np
import pytest

from intaglio.language.relations import Relation, Wording, relate


def found(older: str, newer: str, *, constraint: bool = False) -> Relation:
    return relate(Wording(newer), Wording(older), older_is_constraint=constraint)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We use PostgreSQL for the billing service", "We use MySQL for the billing service"),
        ("indent with tabs", "indent with spaces"),
        ("the API is REST", "the API is GraphQL"),
        ("The invoices service runs on Postgres 13", "The invoices service runs on Postgres 16"),
        ("max line length is 100", "max line length is 120"),
        ("codes live for ten minutes", "codes live for 15 minutes"),
        ("The token is valid for half an hour", "Tokens expire after 45 min"),
        ("we deploy on Tuesdays", "from now on we deploy on Fridays"),
        ("wir deployen dienstags", "wir deployen freitags"),
        ("Standup is at 9:30", "Standup is at ten"),
        ("Maria owns the billing export", "The billing export belongs to Tom"),
        ("The tracking API listens on 8080", "Port of the tracking service is 9100"),
        ("We deploy to eu-west-1", "We deploy to eu-central-1"),
        ("状态管理用 riverpod", "状态管理用 GetX"),
        # Numbers of a named thing, hours, speeds, temperatures.
        ("The buzzer sits on GPIO 26", "Buzzer is wired to GPIO 33"),
        ("The lamps run 06:00 to 22:00", "Lamps run 05:00-21:00"),
        ("Top speed in the hall is 1.2 m/s", "The top speed in the hall is 0.8 m/s"),
        ("The fans start at 29 °C", "Fans kick in at 26 degrees"),
        ("We read the meters every thirty seconds", "Meters are read once per five minutes"),
        # Words of one origin, the tool that is usual for it, people that no list knows.
        ("The intrusion detector is switched off", "Intrusion detection is enabled"),
        ("Ystävä owns the ingress", "The ingress belongs to Dagny"),
    ],
)  # fmt: skip
def test_another_value_of_the_same_kind_replaces(older: str, newer: str) -> None:
    assert found(older, newer) == "replaces"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We decided to store sessions in Redis.",
         "We decided to store sessions in PostgreSQL instead of Redis."),
        ("let's use Luxon for dates", "no, keep date-fns, not Luxon"),
        ("We use Celery for background jobs", "drop Celery"),
        ("We use Celery for background jobs", "Celery is gone, jobs run in procrastinate"),
        ("The API is REST", "We switch the API from REST to GraphQL"),
        ("Use Jest for tests", "we dropped Jest, use vitest"),
        ("The cancellation fee is 40 euros", "The cancellation fee moved from 40 to 25 euros"),
        ("History is kept for one year", "Amendment: history is kept two years, not one"),
        ("wir nehmen traefik als ingress", "nicht traefik, sondern nginx"),
        ("Unit tests use unittest", "unittest ist raus, unit tests laufen mit pytest"),
        ("Les tests tournent avec Jest", "on a laissé tomber jest, c'est vitest maintenant"),
        ("La sesión caduca a los 30 minutos", "la sesión dura dos horas, ya no media hora"),
        ("扩展用 webpack 打包", "我们不再用 webpack 了,改成 vite 打包"),
        ("缓存统一用 Memcached", "缓存已经从 Memcached 换成 Valkey 了"),
        ("We host on Netlify", "Forget Netlify, we host on Fly"),
        ("The map keeps its state in Redux", "Redux has finally been thrown out"),
        ("Path search uses A*", "Instead of A* the path search runs D* Lite"),
        ("The heartbeat topic is gh/status",
         "Renamed the heartbeat topic: gh/v2/health supersedes gh/status"),
        ("Anna approves releases", "Ben approves releases, Anna left"),
        ("Bastien valide les cartes", "Bastien ne valide plus les cartes"),
    ],
)  # fmt: skip
def test_a_value_that_is_rejected_by_name_is_replaced(older: str, newer: str) -> None:
    assert found(older, newer) == "replaces"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        # Another thing in the same words.
        ("The session cookie lives seven days", "The csrf cookie dies after an hour"),
        ("name module 3 after its owner", "name module 6 after its owner"),
        ("Use React for the dashboard frontend", "Use React for the admin frontend"),
        ("A pull request needs one approval", "Changes below /payments need two approvals"),
        ("tests live in tests/unit", "fixtures live in tests/fixtures"),
        ("Rotated backups are kept for a year", "Backups are kept for 30 days"),
        ("The main board has an ESP32", "The sensor board has an RP2040"),
        ("The legacy importer runs at 2:00", "The importer runs at 3:00"),
        ("In ranked matches a turn takes 75 seconds", "A turn takes 90 seconds"),
        ("Mods load in alphabetical order", "Within a mod, scripts load in manifest order"),
        ("Tickets are in Jira", "We switched to Linear for the design tickets"),
        ("Lunch starts at 12:00", "Lunch ends at 13:00"),
        ("Bids below 10 euros are refused", "Bids above 500 euros need a check"),
        ("The fan in rack 1 runs at 60 %", "The fan in rack 2 now runs at 80 %"),
        ("The German site is hosted in Frankfurt", "The French site is now hosted in Paris"),
        ("The wiki is on Outline", "The old wiki is gone"),
        ("The import runs hourly", "The import takes 20 minutes"),
        ("Robot logs are kept for some weeks", "Robot logs are kept for 21 days"),
        # Another environment.
        ("We keep logs for 30 days in staging.", "We keep logs for 90 days in production."),
        ("The shop runs on Postgres", "On my machine the shop runs on SQLite"),
        # Beside it, for a while, or once.
        ("The queue is capped at 500 tasks", "right now 312 tasks are in the queue"),
        ("We deploy on Fridays", "We no longer deploy on Fridays before holidays"),
        ("El clúster corría en Azure", "El clúster está en Hetzner"),
        ("Cards are processed by Stripe", "PayPal is offered as well"),
        ("Release day is Tuesday", "this week the release is on Thursday"),
        ("The dbt runs are scheduled by Dagster", "Airflow used to schedule the dbt runs"),
        # Another kind of number, and another person's taste.
        ("Free users can have three habits", "Free users can have five reminders per habit"),
        ("Jonas prefers tabs", "Fatima prefers tabs"),
        # The move away from something else, and a denial of another value.
        ("Sessions live in Postgres", "We moved the sessions from Redis to Postgres"),
        ("deploys happen on Tuesdays", "never deploy on Fridays"),
        ("The build is written in Go", "The build was written in a hurry"),
        ("Use Python 3.12 or newer", "The image has Python 3.13"),
    ],
)  # fmt: skip
def test_what_may_be_true_beside_it_is_never_replaced(older: str, newer: str) -> None:
    assert found(older, newer) != "replaces"
    assert found(newer, older) != "replaces"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        # Another period, two values at once, an object, a word of its own, a case.
        ("The nightly job runs at 2:00", "The weekly job now runs at 3:00"),
        ("The sync is on Tuesday at 10", "We moved the sync to Wednesday at 11"),
        ("We deploy with Ansible", "We no longer deploy databases with Ansible"),
        ("We play at 19:00", "We play finals at 20:30 now"),
        ("The door opens at 7:00", "The back door now opens at 8:00"),
        ("Errors are retried", "Validation errors are no longer retried"),
        ("Fees are due on Fridays", "Fees are now due on Mondays, for new members"),
        ("Das Training ist um 18 Uhr", "Das Jugendtraining ist jetzt um 16 Uhr"),
        # Occasions, people who leave something else, a value that is repeated of something else.
        ("Reports are sent as PDF", "Some weeks reports were sent as CSV instead of PDF"),
        ("Frau Kern approves the invoices", "Frau Kern left the call early"),
        ("Anna is the release manager", "Anna moved from Berlin to Hamburg"),
        ("La sauvegarde part à 1 h du matin", "La sauvegarde part chaque nuit à 3 h 30"),
        ("Prometheus keeps metrics for 15 days", "Metric retention: 45 days"),
        ("Codes live 30 minutes", "Turns out 30 minutes annoyed people, codes live 4 hours"),
        ("Sessions live 30 minutes", "30 minutes annoyed everybody, meetings last 45 minutes now"),
    ],
)
def test_a_change_that_names_more_than_the_older_is_asked_about(older: str, newer: str) -> None:
    assert found(older, newer) == "uncertain"


@pytest.mark.parametrize(
    "newer",
    [
        "Maybe we should move the sessions to Postgres",
        "Should we keep sessions in Postgres instead of Redis?",
        "Lena suggested to move sessions from Redis to Postgres",
        "Vielleicht sollten wir die Sessions in Postgres legen",
        "Et si on mettait les sessions dans Postgres ?",
        "quizás pasemos las sesiones a Postgres",
    ],
)
def test_what_is_not_settled_changes_nothing(newer: str) -> None:
    assert found("Sessions live in Redis", newer) in {"both_true", "unrelated"}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Never commit to main directly", "commit directly to main is fine"),
        ("Backups must stay in Zurich", "Backups go to Dublin now"),
        ("A slot must never be booked twice", "The scheduler books a taken slot again"),
        ("Never deploy on Fridays", "Deploying on Fridays is fine from now on"),
        ("Only the server may roll the dice", "The client rolls the dice"),
        ("Heaters may not exceed 60 %", "Run the heaters at 100 % overnight"),
    ],
)
def test_a_constraint_is_asked_about(older: str, newer: str) -> None:
    assert found(older, newer) == "uncertain"


def test_what_the_caller_calls_a_constraint_is_asked_about() -> None:
    older, newer = "The API is REST", "The API is GraphQL, not REST"
    assert found(older, newer) == "replaces"
    assert found(older, newer, constraint=True) == "uncertain"


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("Always run the linter before pushing", "Run the linter before each push", "duplicate"),
        ("用 pnpm 管理依赖", "依赖一律用 pnpm 管理", "duplicate"),
        ("plain pgx here, no ORM", "no ORM, plain pgx", "duplicate"),
        ("A session stays valid for 7 days", "sessions last a week", "duplicate"),
        ("We use Postgres for the shop", "We use Postgres 16 for the shop", "refines"),
        ("Slots are 15 minutes long", "The footer links to our newsletter", "unrelated"),
    ],
)  # fmt: skip
def test_the_same_again_is_told_from_more_and_from_other_things(
    older: str, newer: str, expected: Relation
) -> None:
    assert found(older, newer) == expected


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We use Celery for jobs", "We don't use Celery for jobs"),
        ("We don't use Celery for jobs", "We use Celery for jobs"),
        ("drop Celery", "We use Celery for background jobs"),
        ("no tabs, use spaces", "We use tabs"),
        ("The API is GraphQL", "The API is REST, not GraphQL"),
        ("Crash reports exclude stack traces", "Crash reports include stack traces"),
        ("Mount the disk as hdd", "Mount the disk as ssd"),
    ],
)
def test_a_reversal_is_no_evidence_for_what_it_reverses(older: str, newer: str) -> None:
    assert found(older, newer) not in {"duplicate", "refines"}


def test_another_day_is_not_the_same_however_near_the_vectors_are() -> None:
    vector = np.full(384, 384**-0.5, np.float32)
    one, other = "only senior people deploy on Tuesdays", "we deploy on Fridays"
    assert relate(Wording(one, vector), Wording(other, vector)) != "duplicate"


def test_nothing_said_is_related_to_nothing() -> None:
    assert found("", "") == found("...", "We use tabs") == "unrelated"


def test_a_longer_name_is_another_thing() -> None:
    older, newer = "We deploy billing on Fridays only.", "We deploy billing-api on Fridays only."
    left_alone = {"both_true", "unrelated"}
    assert {found(older, newer), found(newer, older)} <= left_alone


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Server 2 runs Debian 12.", "Server 3 runs Debian 12."),
        ("Camera 2 of the gate streams over RTSP.", "Camera 3 of the gate streams over HLS."),
        ("The quay 16 camera streams over RTSP.", "The quay 32 camera streams over RTSP."),
    ],
)
def test_things_that_their_number_tells_apart_hold_side_by_side(older: str, newer: str) -> None:
    assert found(older, newer) == "both_true"
