"""Ordinary words, which name nothing even where they are capitalised."""

from typing import Final

from intaglio.graph.linking.lexicon.word_set import word_set

_FUNCTION_WORDS: Final = """
a an the and or but nor so yet if then else when while where why how what which who whom whose
that this these those there here it its it's i i'm i've i'd i'll me my mine myself we we're we've
we'd we'll us our ours you you're you've your yours he he's him his she she's her hers they
they're them their theirs one ones someone anyone everyone everybody nobody something anything
everything nothing none some any each every all both either neither few many much more most less
least several other another such same own is isn't are aren't was wasn't were weren't be been
being am do does doesn't did didn't don't done doing have has had haven't hasn't hadn't having can
can't cannot could couldn't will won't would wouldn't shall should shouldn't may might must
mustn't need needs ought let let's lets to of in on at by for from with without within into onto
upon over under above below between among through during before after since until till about
against across along around behind beside besides beyond despite except inside outside near off
out per plus than toward towards up down via versus vs as like unlike because although though
unless whereas whether however therefore thus hence otherwise instead also too only just even
still already always never ever often sometimes usually rarely again once twice now today
yesterday tomorrow tonight soon later earlier recently currently maybe perhaps please yes no not
ok okay sure thanks thank hi hello hey note notes todo fixme fyi btw imo eg ie etc well right
wrong really very quite rather almost enough ago away back forward together apart anyway actually
basically finally first second third next last previous new old good bad best worst better worse
big small large long short high low full empty open closed true false null nil undefined main
default custom simple quick slow fast hard easy early late
"""

_TIMES: Final = """
january february march april june july august september october november december jan feb mar apr
jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays
tuesdays wednesdays thursdays fridays saturdays sundays mon tue wed thu fri sat sun christmas
easter spring summer autumn winter fall morning mornings afternoon evening night weekend weekends
weekday weekdays week weeks month months year years day days hour hours minute minutes second
seconds quarter q1 q2 q3 q4 h1 h2 utc cet cest est edt pst pdt gmt montag dienstag mittwoch
donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember lunes martes
miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto
septiembre octubre noviembre diciembre lundi mardi mercredi jeudi vendredi samedi dimanche janvier
février mars avril juin juillet août septembre octobre novembre décembre english german french
spanish italian portuguese japanese chinese dutch polish russian european american british
international latin unicode ascii deutsch englisch
"""

_VERBS: Final = """
abort accept access add adjust adopt agree aim allow analyze answer append apply approve archive
ask assert assign assume attach audit avoid await backfill backup balance base batch begin
benchmark block book break bring build bump bundle buy cache calculate call cancel care catch
change charge check choose clean clear click clone close collect combine come commit compare
compile complete compress compute configure confirm connect consider consult contact contain
continue convert copy correct count cover crash create cut debug decide declare decrease
deduplicate define delay delete deliver deploy deprecate describe design detect develop disable
discard discover discuss display document double download drain drop dump edit emit enable encode
encrypt enforce ensure enter escape establish evaluate examine exclude execute exit expand expect
explain explore export expose express extend extract fail feel fetch fill filter find finish fix
flag flush focus follow forget fork format forward freeze generate get give go grab grant group
grow guard handle happen hash help hide hold ignore implement import improve include increase
index inform inject inline insert inspect install integrate introduce invalidate invert invoke
isolate iterate join jump keep kill know label land launch lead learn leave limit link lint list
listen load localize locate lock log look loop lower maintain make manage map mark match mean
measure mention merge migrate minimize mock modify monitor mount move mute name nest normalize
notice notify number observe occur offer omit open optimize order organize output overload
override own pack parse pass paste patch pause pay perform persist pick pin ping place plan play
point poll post prefer prefix prepare preserve press prevent print prioritize process produce
profile promote propose protect provide publish pull purge push put query queue quit quote raise
read rebase rebuild receive recommend record recover redeploy redirect reduce refactor refer
reference refresh regenerate register reject release reload rely remember remind remove rename
render reorder reopen repeat replace replay reply report reproduce request require rerun reset
resize resolve respect respond restart restore restrict retain retire retry return reuse revert
review revise revoke rewrite roll rollback rotate round route run sanitize save say scale scan
schedule score search see seed seem select send separate serve set share shift ship show shrink
sign simplify skip sleep slice solve sort speak specify split squash stage stand start state stay
stick stop store stream strip structure study submit suggest supply support suppress suspect swap
switch sync synchronize tag take talk target tell terminate test think throttle throw tie time
toggle touch trace track train transform translate treat trigger trim truncate trust try tune turn
type understand undo unify uninstall unlock unpin update upgrade upload use validate vendor verify
version view visit wait walk want warm warn watch wipe work wrap write zip came went ran saw said
told got gave took made kept left lost found felt thought bought built broke chose wrote sent
spent met hit led held began became grew knew shut won sold paid taught
"""

_NOUNS: Final = """
ability account accounts action actions address addresses admin admins agent agents alert alerts
alias analytics answer api apis app apps application applications approach architecture archive
area args argument array article artifact artifacts assertion asset assets assistant attempt
attribute audience auth authentication author authorization backend backends backup backups bank
bar baseline bash batch behavior behaviour benchmark bill billing binary bit block board body bot
bottleneck boundary box branch branches breakage browser browsers budget buffer bug bugs build
builds bundle business button byte cache caches caching calendar call callback calls candidate
card case cases cause cell certificate chain change changelog changes channel character chat check
checkout checks child choice chunk class classes cleanup client clients clock cloud cluster
clusters code codebase colleague color column columns command commands comment comments commit
commits company compiler component components concern concerns config configuration configs
conflict connection connections console constant constants constraint container containers content
contents context contract contracts convention conventions copy core cost costs country coverage
crash credential credentials currency customer customers cycle daemon dashboard dashboards data
database databases dataset date dates db deadline deadlock decision decisions dependencies
dependency deploy deployment deployments desktop detail details dev developer developers device
devices diagram difference directory disk doc docker docs documentation documents domain domains
download draft driver drivers editor effect email emails endpoint endpoints engine engineer
engineers entity entry enum environment environments epic error errors estimate event events
everything example examples exception exceptions expert export expression extension fact failure
failures family feature features feedback field fields file files firewall fixture fixtures flag
flags folder folders font format formats framework frontend function functions future game gateway
generator goal group groups guide handler handlers hardware header headers heap history hook hooks
host hosts hotfix house id idea identifier ids image images impact import imports incident
incidents index indexes indices info input inputs instance instances integer integration interface
interfaces internet interval invoice invoices issue issues item items iteration job jobs key
keyboard keys kernel kind knowledge label language languages latency layer layout lead legacy
length letter level levels libraries library license line lines link links linter list lists load
loader location locale lock log logging logic login logs loop machine machines mail mailbox
maintenance manager manual map master meeting meetings member memory menu message messages
metadata method methods metric metrics middleware migration migrations milestone mind minimum
maximum mobile mode model models module modules money monorepo name names namespace network
networks node nodes notice notification notifications number numbers object objects office offline
online operation operations operator option options order orders organization output outage owner
page pages pair paper parameter parameters parent parser part partner parts party password
passwords patch path paths pattern patterns payload payment payments people performance permission
permissions person phase phone pipeline pipelines place plan plans platform platforms plugin
plugins point points policy policies pool port ports position post posts practice preference
preferences price prices pricing priority privacy problem problems process processes product
production products profile program progress project projects property proposal protocol prototype
provider providers proxy purpose queries query question questions queue queues quota rate rates
reason reasons record records redirect reference refactoring region regions registry regression
relation release releases reminder replica replicas repo report reports repository repos request
requests requirement requirements resource resources response responses rest result results
retention retries retry reverse review reviewer reviewers reviews risk road roadmap role roles
root route router routes row rows rule rules runbook runner runners runtime safety sale sales
sample sandbox schedule scheduler schema schemas scope score screen script scripts secret secrets
section security segment sense sentence server servers service services session sessions setting
settings setup shell side sign signal site size skill snapshot snippet socket software solution
sort source space spec specs speed sprint sprints stack staff stage staging standard standup state
states statement statistics stats status step steps storage store story strategy stream string
strings structure stuff style styles subject success suite support symbol system systems tab table
tables tag tags target targets task tasks team teams template templates tenant tenants term
terminal test tester testing tests text theme thing things thread threads ticket tickets time
timeout timeouts timer timestamp timestamps timezone title token tokens tool tooling tools topic
topics traffic transaction transactions translation translations trick trigger triggers truth type
types typo ui unit update updates upload url urls usage user username users ux validation value
values variable variables vendor vendors version versions video view views virtual vpn warehouse
warning warnings way web webhook webhooks website widget widgets window windows word words work
worker workers workflow workflows workspace world wrapper writer zone alpha beta gamma delta prod
qa ci cd pr prs mr mrs it cto ceo cfo coo vp hr pm po sre devops intern stakeholder stakeholders
engineering marketing finance legal design frontend-team ops infra infrastructure headline summary
overview goals constraints yeah yep nope wow congrats congratulations lots cool awesome hmm oh ah
haha sounds looks seems glad excited background conclusion appendix important caution tip remark
correction tier tiers chapter factory singleton facade hybrid embedding embeddings dataclass
boolean async sync scoring modes consequence
"""

_EVERYDAY: Final = """
 art life nature music guitar piano violin clay pottery poetry pride perfect running swimming hiking
camping painting family families friend friends kids child children baby home house kitchen garden
food water love hope dream dreams book books movie movies film travel trip trips vacation holiday
holidays school university college health body heart soul earth sun moon sky sea ocean beach forest
river lake mountain mountains flower flowers tree trees animal animals dog dogs cat cats bird birds
fish horse horses mom dad mum parents mother father sister brother husband wife son daughter
birthday party wedding dinner lunch breakfast coffee tea beer wine bread cake cheese chocolate fruit
apples rice pasta pizza meat chicken doctor hospital medicine career boss salary car cars bike bikes
bus train trains plane flight airport hotel street city cities village town building bridge church
park museum theater theatre concert song songs dance sports football soccer basketball tennis golf
yoga gym exercise game games toy toys gift gifts clothes shirt shoes hair face eyes hand hands foot
feet voice smile tears rain snow wind storm weather science history math physics chemistry biology
philosophy religion politics government law police war peace freedom justice beauty happiness fear
anger courage wisdom patience luck culture society community tradition adventure journey memories
moment moments super therapy counseling adoption volunteering parenthood parenting motherhood
writing reading drawing photography fashion jewelry furniture plants planting seeds soil farm
farmers market markets shop shops passengers drivers teacher teachers student students lesson
lessons exam exams homework experiments laboratory sensor sensors battery batteries fuel steel iron
gold silver copper wood glass plastic pencil stone rock sand dust smoke fire darkness shadow
"""

_ADJECTIVES: Final = """
ctrl cmd alt shift esc escape tab enter backspace space delete caps
max min avg sum num maximum-size zero two three four five six seven eight nine ten eleven twelve
thirteen fifteen twenty thirty forty fifty hundred thousand million billion half dozen third
fourth fifth null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf uno dos tres
cuatro cinco deux trois quatre cinq somewhere nowhere anywhere unsafe previous autosave active
actual additional advanced affected alternative annual anonymous automatic available average bare
basic big blue breaking broken busy careful central certain cheap clean clear clever cold common
compact complete complex concrete confidential consistent constant correct critical current daily
dead deep deprecated different direct dirty distinct double dry dynamic dead-letter entire equal
essential exact excellent existing expensive experimental explicit external extra extreme fair
familiar few final fine flaky flat foreign formal former free frequent fresh functional general
generic global great green grey happy heavy hidden historical hot hourly huge ideal identical
immediate immutable implicit incremental independent individual initial inner inside interesting
internal invalid joint key known latest lazy legal light little live local lonely loose lost
mandatory manual many massive mature medium minimal minor missing mixed mobile modern modest
monthly multiple mutable narrow native natural necessary nested nice nightly normal obsolete
obvious odd official older ongoing only optional ordinary original outer overall parallel partial
particular past pending permanent personal plain popular possible potential premium present
primary private probable proper public pure quiet random rare raw ready real recent red redundant
regular relative relevant reliable remaining remote responsible rich robust rough safe scheduled
secondary secure senior sensitive separate serious shared sharp silent similar single smart smooth
soft solid special specific stable stale standard static steady strange strict strong stupid
subtle successful sudden sufficient suitable synthetic technical temporary thin tight tiny top
total traditional transparent typical ugly unclear unique universal unknown unstable unused
upcoming upper urgent useful usual valid valuable various verbose visible vital warm weak weekly
whole wide wild wonderful yearly yellow young white black gray orange purple pink dark
"""

_OTHER_LANGUAGES: Final = """
der die das den dem des ein eine einen einem einer eines und oder nicht ist sind war waren wir ihr
ich du er sie es mir mich uns euch bitte mit auf für von zu im am beim zum zur bei nach auch nur
noch immer nie niemals kein keine keinen keiner wie was warum wenn dass daß als aber doch mal hier
jetzt schon wird werden haben hat hatte soll sollen muss müssen kann können alle alles aus über
unter statt lieber machen mach sich dann denn ab an in um vor durch gegen ohne seit bis während
weil ob damit unser unsere unserer mein meine dein deine sein seine ihre jeder jede jedes dieser
diese dieses nutze nutzen benutze verwende verwenden verwendet niemand gestern heute morgen frau
herr el la los las un una unos unas y o de del que en con por para son está están no sí se lo le
nos mi tu su nuestro nuestra siempre nunca pero como cuando donde qué cómo usa usamos hay más muy
ya esto eso aquí todo todos todas sin al si porque también cada entre hacer vamos prefiero mejor
solo sólo hemos ha han usar desplegamos este esta estos estas les et ou qui dans sur pour avec est
sont pas ne ni on nous vous je il elle ce cette ces mon ma mes notre votre toujours jamais mais
comme quand où quoi comment c'est j'ai d'abord plus très déjà ici tout tous toutes sans au aux
parce aussi chaque fait faut utilise préfère plutôt depuis après avant chez ils elles leur leurs
utilisons
"""

_ACRONYMS: Final = """
sim sepa imei configmap statefulset daemonset replicaset cronjob
api apis url urls uri uuid uuids id ids http https tcp udp ip ipv4 ipv6 dns tls ssl ui ux cli gui
sdk ide orm ci cd pr prs mr mrs qa db dbs os cpu gpu ram ssd hdd io i/o vm vms ttl sla slo sli kpi
okr okrs rfc adr adrs poc mvp eta faq tbd tba wip asap fyi imo imho iirc afaik lgtm nit tldr btw
ok diy usd eur gbp chf utf utf8 utf-8 ascii iso8601 crud dry kiss yagni solid tdd bdd ddd e2e pii
sso mfa 2fa otp rbac acl cors csrf xss csp ssrf sqli cve cves dos ddos vpn vpc lan wan nat cdn sre
csv's llm llms ai ml nlp rag ocr tts stt mb gb tb kb ms px rps qps p50 p90 p95 p99 am pm readme
changelog license todo fixme xxx hack note warning important never always must not do don't only
all no yes any every stop please critical danger caution get post put patch delete head options
trace connect select insert update drop create table from where join left right inner outer group
order by having limit null true false and or is in on if else then end ceo cto cfo coo cio ciso vp
hr po ba sm eu us uk usa uae de fr es uat dev prod stg rc lts eol gc oom ssr csr spa pwa seo dom
jvm repl ast dag dags fifo lifo lru mru etl elt olap oltp acid cap dto dao mvc mvvm khz mhz ghz
kib mib gib mah kwh hz jst ist bst pdt cdt di ioc nas lgbtq lgbt congrats lol omg haha ttfb dba
dsn apm hmr jwks knn wal sse mvcc cte ctes cls lcp fcp inp bom exif npu fft simd ssg isr bfs dfs
gin brin http2 http3 ws wss fps rgb rgba hex url's sha md5 hmac aes rsa ecc eda ddl dml wsgi asgi
cgi mcu fpga adc pwm gpio i2c spi uart usb hid ble nfc rfid lte 5g wifi wlan iot ci/cd bi crm erp
cms pim dam sap2 pos atm kyc aml iban bic vat gtm roi cac ltv arr mrr nps csat rma sku skus eod
cob ooo pto eob lhs rhs ipc rpc cron daemon stdin stdout stderr tty eof sigterm sigkill sigint
"""

FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORDS.split()) | frozenset(_OTHER_LANGUAGES.split())
"""Words that neither begin nor end the name of anything."""

TIMES: Final = frozenset(_TIMES.split())

IMPERATIVES: Final = frozenset(_VERBS.split())
"""Verbs in their base form, with which a rule or a note begins."""

ORDINARY_WORDS: Final = (
    FUNCTION_WORDS
    | TIMES
    | IMPERATIVES
    | frozenset(_NOUNS.split())
    | frozenset(_EVERYDAY.split())
    | frozenset(_ADJECTIVES.split())
)
"""Words that are no name by themselves."""

COMMON_ACRONYMS: Final = frozenset(_ACRONYMS.split())
"""Words in capital letters that name nothing in particular, or that are merely shouted."""

_ENDINGS: Final = tuple(
    sorted(
        word_set(
            """
            ing tion tions ment ments ness ity ities ally able ible ized ised ated sion sions ance
            ence ful less ously ently antly ified
            """
        )
    )
)
_SHORTEST_STEM: Final = 3


def is_ordinary(word: str) -> bool:
    """Tell whether a lower-case word is an ordinary one, by the list or by its ending."""
    if word in ORDINARY_WORDS:
        return True
    if word.endswith(_ENDINGS) and len(word) > 5 + _SHORTEST_STEM - 1:
        return True
    for ending in ("'s", "\u2019s", "s", "es", "ed", "d", "ly"):
        if word.endswith(ending) and word[: -len(ending)] in ORDINARY_WORDS:
            return len(word) - len(ending) >= _SHORTEST_STEM
    return False


PLACES: Final = word_set(
    """
    berlin hamburg munich münchen frankfurt cologne köln stuttgart düsseldorf leipzig dresden vienna
    wien zurich zürich geneva basel bern london manchester leeds bristol glasgow edinburgh dublin
    paris lyon marseille toulouse lille bordeaux nantes madrid barcelona valencia sevilla seville
    bilbao lisbon porto rome milan turin naples amsterdam rotterdam utrecht brussels antwerp
    copenhagen oslo bergen stockholm gothenburg malmö helsinki warsaw kraków krakow gdańsk gdansk
    prague brno budapest bucharest sofia athens istanbul kyiv riga vilnius tallinn moscow boston
    chicago seattle denver dallas houston atlanta toronto montreal vancouver mumbai delhi bangalore
    bengaluru singapore tokyo osaka kyoto seoul beijing shanghai shenzhen taipei sydney melbourne
    auckland nairobi lagos cairo dubai germany france spain italy portugal poland austria
    switzerland netherlands belgium denmark norway sweden finland ireland england scotland europe
    america asia africa canada mexico brazil argentina chile india china japan korea australia
    virginia oregon ohio texas california ireland
    """
)
"""Cities and countries, which are no part of a system by themselves."""
