"""The words that say of a name what it names: "service", "worker", "gateway"."""

from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.lexicon.word_set import word_set


def _heads(*lists: tuple[EntityType, str]) -> dict[str, EntityType]:
    return {word: type_ for type_, words in lists for word in words.split()}


HEADS: Final = _heads(
    ("service", "service svc server api gateway daemon proxy backend microservice"),
    (
        "component",
        (
            "worker scheduler dispatcher queue module library lib pipeline engine client "
            "consumer producer handler parser loader manager controller adapter plugin "
            "middleware crawler indexer importer exporter processor router resolver broker "
            "job cron bot agent runner reconciler limiter registry orchestrator watcher "
            "listener poller sdk compiler renderer editor viewer widget ingester ingestor "
            "scraper notifier aggregator collector forwarder replicator sequencer planner "
            "matcher tokenizer linker supervisor coordinator validator generator transformer "
            "serializer connector extractor syncer mailer sender receiver monitor tracker "
            "package crate frontend component extension operator sidecar lambda topic bucket "
            "ledger allocator bridge classifier detector scorer ranker recommender encoder "
            "decoder optimizer simulator emulator profiler installer updater launcher "
            "uploader downloader converter translator calculator checker cleaner sweeper "
            "reaper pruner archiver merger bus hub vault feed stack balancer executor "
            "evaluator builder interpreter analyzer geocoder"
        ),
    ),
    ("system", "dashboard app portal console cluster platform cli"),
)
"""Nouns with which the name of a part of a system ends, and what that part is."""

LOOSE_HEADS: Final = word_set(
    """
    router hub feed stack bus checker installer updater converter client job manager api app
    package lib library store cache table index editor module component extension operator builder
    monitor generator platform system website site agent bot registry handler cluster backend
    frontend server plugin cli sdk middleware compiler lambda cron executor allocator topic bucket
    ledger console tracker sender receiver
    """
)
"""Heads that are too common to name something without an article before them."""

LONE_HEADS: Final = word_set(
    """
    dispatcher scheduler orchestrator indexer ingester ingestor crawler scraper importer exporter
    reconciler notifier aggregator poller collector forwarder replicator sequencer planner matcher
    tokenizer renderer parser linker supervisor coordinator gateway daemon allocator syncer mailer
    watcher balancer ledger geocoder
    """
)
"""Heads that are names of parts by themselves: "the dispatcher"."""

LANGUAGE_HEADS: Final = _heads(
    (
        "service",
        "dienst servicio service passerelle pasarela schnittstelle serveur servidor api",
    ),
    (
        "component",
        (
            "modul módulo module cola motor moteur warteschlange rechner planificador "
            "planificateur worker"
        ),
    ),
)
"""Heads in German, Spanish and French."""

CJK_HEADS: Final = _heads(
    ("service", "サービス サーバー サーバ ゲートウェイ 服务 网关 服务器"),
    (
        "component",
        (
            "ワーカー モジュール キュー パイプライン スケジューラ スケジューラー"
            " ディスパッチャ ディスパッチャー 模块 队列 调度器 流水线 组件"
        ),
    ),
    ("system", "ダッシュボード 看板"),
)
"""Heads in Japanese and Chinese, written right after the rest of the name."""

GENERIC_MODIFIERS: Final = word_set(
    """
    ci query web http https rest public private same own background cron service old new first
    last whole entire original current actual existing separate single dedicated shared common
    generic custom upstream downstream internal external third-party remote local real fake mock
    test default main central third other another different best next previous standard simple
    small big large fast slow few many several various multiple two three four five official
    open-source legacy proper fallback primary secondary global right wrong good bad
    underlying corresponding respective given following above below affected full empty broken
    flaky running load package client's customer's users' team's company's native normal regular
    dumb smart entry state-of-the-art long-running short-lived stateless stateful singleton
    read-only little tiny huge particular specific certain appropriate necessary required optional
    additional extra unused dead
    """
)
"""Words before a head that name nothing: "the old service", "a web server"."""

GENERIC_BEFORE_LOOSE: Final = word_set(
    """
    app apps storage data database file files error exception event events request requests
    message messages type test tests unit integration key access user users state memory log build
    dev web api http cli client server system code content context page form input output result
    search session task job process thread project team model view command package graph text
    image
    """
)
"""Words that name nothing before a head that is common, too: "the storage backend"."""

ORGANIZATION_ENDS: Final = word_set(
    """
    trading traders stores markets brothers international games press hotels clinic hospital
    museum council ministry club college school works ag gmbh inc ltd llc corp corporation co sa
    sas sarl sl bv se kg ug plc foods logistics bank group labs technologies solutions consulting
    university institute foundation ventures capital insurance airlines energy media studios
    industries holding holdings partners pharma motors robotics software analytics interactive
    freight transportation trucking shipping haulage care healthcare pharmacy laboratories ventures
    center centre trust society association authority institution railways logistik
    retail telecom mutual financial health travel airways systems
    """
)
"""Words with which the names of organizations end."""
