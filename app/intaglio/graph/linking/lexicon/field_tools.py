"""Tools of data, games, health, mobile, embedded systems and finance, written the same way."""

from typing import Final

FIELD_TOOLS: Final = """
GitHub Container Registry, GHCR; wgpu; winit; mlua; Rhai; Wren language; naga shaders, ^Naga; k9s;
Lens IDE; stern logs, ^Stern; kubectx; kubens; Helmfile; sops; age encryption; Flannel;
Talos Linux, Talos; Karpenter; KEDA; Knative; OpenFaaS; Falco; kube-bench; Tilt.dev; Devbox;
Devenv; Dagger.io; Earthly; chezmoi; lazygit; lazydocker; zoxide; Atuin; Zellij; Jujutsu, jj;
^Graphite; git-lfs, Git LFS; difftastic; hyperfine; mold linker; sccache; ccache;
cargo-nextest, nextest; cargo-deny; cargo-audit; insta snapshots; rstest; mockall; Miri;
MongoDB Atlas; Amazon MSK, MSK; Amazon EMR, EMR; Amazon EFS, EFS; Amazon EBS, EBS; AWS Glue;
AWS Batch; AWS CodeBuild, CodeBuild; AWS CodePipeline, CodePipeline; AWS AppSync, AppSync;
AWS Amplify; Amazon API Gateway; Amazon OpenSearch Service; Amazon Timestream, Timestream;
Amazon DocumentDB, DocumentDB; Amazon Neptune; Amazon QuickSight, QuickSight; AWS KMS;
Google Dataflow, Dataflow; Google Dataproc, Dataproc; Looker Studio, Looker; Azure Data Factory;
Azure Event Hubs, Event Hubs; Azure Service Bus; Azure Key Vault; Azure OpenAI; Azure Databricks;
Microsoft Fabric; Confluent, Confluent Cloud, Confluent Platform; Kafka Connect; Kafka Streams;
ksqlDB; Schema Registry; Apache Iceberg, ^Iceberg; Delta Lake; Apache Hudi, Hudi; Apache Hive;
Apache Ranger; AKHQ; Kpow; Redpanda Console; Estuary Flow; RisingWave; Bytewax; Apache Paimon;
StarRocks; Apache Doris; MotherDuck; DuckLake; LanceDB; SQLMesh; sqlfluff; sqlglot; dlt hub;
Litestream; samply; Kafka MirrorMaker, MirrorMaker; Kubernetes Dashboard; Redis Sentinel;
GitHub Enterprise; GitLab Runner; Meltano; Soda Core; Elementary Data; DataHub; OpenMetadata;
Amundsen; OpenLineage; Marquez; Ibis framework; Dask; Modin; Vaex; cuDF; RAPIDS; XGBoost; LightGBM;
CatBoost; Optuna; statsmodels; Bokeh; Altair charts; Evidently; Feast store; DVC; Label Studio;
Roboflow; Ultralytics; YOLOv8; spaCy; NLTK; Haystack AI; DSPy; CrewAI; AutoGen; PydanticAI; SGLang;
TensorRT; Triton Inference Server; OpenVINO; Core ML, CoreML; TensorFlow Lite, TFLite; MediaPipe;
DirectX, DirectX 11, DirectX 12; Direct3D; Vulkan; MoltenVK; Metal API; OpenGL; OpenGL ES; WebGPU;
WebGL; OpenXR; SDL2, SDL3, SDL; GLFW; raylib; Dear ImGui, ImGui; RenderDoc; Nsight; PIX debugger;
FMOD; Wwise; PhysX; Jolt Physics; Rapier physics; Box2D; Havok; Bullet physics; LÖVE framework;
MonoGame; Phaser; PixiJS; Babylon.js; PlayCanvas; GameMaker; Construct 3; RPG Maker; Cocos2d-x;
Defold; Steamworks; Epic Online Services; PlayFab; Photon Engine; Nakama; Mirror Networking;
Substance Painter; Substance Designer; ZBrush; ^Houdini; ^Blender; ^Maya; 3ds Max; Cinema 4D;
SpeedTree; Quixel; Mixamo; Aseprite; Tiled editor; Krita; GIMP; Inkscape;
Photoshop, Adobe Photoshop; Adobe Illustrator; After Effects; Premiere Pro; DaVinci Resolve;
Lottie; Rive animations; Spine 2D; HAPI FHIR; Mirth Connect, Mirth; Medplum; OpenMRS; OpenEMR;
Orthanc; dcm4che; OHIF Viewer, OHIF; 3D Slicer; Epic Systems; Cerner; Rhapsody engine; pydicom;
SimpleITK; MONAI; Smile CDR; InterSystems IRIS; Redox Engine; SwiftData; Jetpack Navigation;
WorkManager; Realm database; MMKV; WatermelonDB; Xcode Cloud; Tuist; XcodeGen; SwiftLint;
SwiftFormat; SwiftGen; Sparkle updater; Crashlytics, Firebase Crashlytics;
Firebase Cloud Messaging, FCM; APNs; OneSignal; RevenueCat; AppsFlyer; Branch.io;
Amplitude Analytics; Mixpanel; EAS Build; Metro bundler; Hermes engine; NativeWind; Riverpod;
flutter_bloc; Compose Multiplatform; Kotlin Multiplatform, KMP; ARKit; ARCore; HealthKit; WatchKit;
nRF52; nRF Connect; RP2040; ESP8266; ESPHome; MicroPython; CircuitPython; Mbed OS; ThreadX; NuttX;
RIOT OS; VxWorks; U-Boot; BusyBox; OpenWrt; Mender.io; balenaOS; SWUpdate; RAUC; Zigbee; Z-Wave;
LoRaWAN; Modbus; CANopen; OPC UA; PROFINET; BACnet; EtherCAT; Codesys;
TIA Portal; LabVIEW; Simulink; Altium Designer, Altium; Eagle CAD; LTspice; Vivado; Quartus;
Saleae; probe-rs; nRF52840; defmt; ^Plausible; PulseView; GStreamer; libcamera; Gazebo simulator;
MoveIt; PX4; ArduPilot; Adyen; Braintree; Square payments; Worldpay; TrueLayer; Tink API;
Fineract, Apache Fineract; Mambu; Temenos; QuantLib; TA-Lib; MetaTrader; Interactive Brokers API;
Alpaca Markets; Bloomberg Terminal; kdb+; Refinitiv; SWIFT network; TigerBeetle; Modern Treasury;
Avalara; NetSuite; Lexware; sevDesk; Odoo; ERPNext; Zuora; Lago billing; Metabase; Lightdash;
Hex notebooks; Rill Data; OpenCost; Kubecost; Infracost; Signoz; OpenObserve; VictoriaMetrics;
Thanos metrics; Cortex metrics; Fluent Bit, FluentBit; Fluentd; Logstash; Kibana; Filebeat;
Vector.dev; Pyroscope; Parca; Honeycomb.io; Axiom logs; Highlight.io; Uptime Kuma; Zabbix; Nagios;
Icinga; Netdata; Telegraf; Flipt; Unleash flags; GrowthBook; LaunchDarkly; Flagsmith; Hasura;
PostgREST; Convex backend; Clerk auth; Zitadel; SuperTokens; FusionAuth; SpiceDB; OpenFGA; Cerbos;
Vaultwarden; Infisical; step-ca; Teleport access; Netbird; Headscale; ZeroTier; CrowdSec; fail2ban;
Suricata; OWASP ZAP; Burp Suite; Metasploit; nmap; Ghidra; Wazuh; Grype; Syft; Dependency-Track;
Bun.sh; tsgo; Rspack; Rsbuild; Rolldown; Farm bundler; knip; oxc; dprint; Lefthook; Moon repo; Pkl;
Hurl; Schemathesis; Pact broker; Mockoon; Karate DSL; Robot Framework; TestCafe; WebdriverIO;
BrowserStack; Sauce Labs; LambdaTest; Percy snapshots; Nightwatch; Artillery; Vegeta; Elysia;
Nitro server; Effect-TS; Kysely; MikroORM; Objection.js; Neo4j Aura; Liveblocks; Yjs; Automerge;
ElectricSQL; PowerSync; Inngest; Trigger.dev; Hatchet; Restate; Windmill; Kestra;
Camunda; Zeebe; Flowable; Activiti; Apache Camel; MuleSoft; Boomi; WSO2; Kong Gateway; Tyk; Apigee;
Gravitee; KrakenD; Emissary Ingress; Contour ingress; OpenTelemetry Collector; pgAdmin; DBeaver;
TablePlus; Beekeeper Studio; pgbackrest, pgBackRest; Barman; pg_partman; pg_cron; Citus;
Hydra columnar; ParadeDB; pgroonga
"""
