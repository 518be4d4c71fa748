"""Hosted services, databases and models that the linker knows, written like development tools."""

from typing import Final

SERVICE_TOOLS: Final = """
Docker; Docker Compose, docker-compose; Docker Hub, DockerHub; Docker Swarm; Podman; containerd;
BuildKit; Kubernetes, k8s, kube; kubectl; Kustomize; Helm; minikube; k3s; kind cluster; ^Rancher;
OpenShift; Istio; Linkerd; Envoy; Traefik; nginx; Caddy; HAProxy; Apache HTTPD, httpd, Apache;
Varnish; Terraform, TF; OpenTofu; Terragrunt; Pulumi; Ansible; ^Puppet; ^Chef; SaltStack; ^Packer;
^Vault, HashiCorp Vault; ^Consul; ^Nomad; CloudFormation; AWS CDK; AWS, Amazon Web Services;
Amazon S3, S3, AWS S3; Amazon EC2, EC2; Amazon RDS, RDS; AWS Lambda, ^Lambda;
Amazon DynamoDB, DynamoDB; Amazon SQS, SQS; Amazon SNS, SNS; Amazon SES, ^SES; Amazon EKS, EKS;
Amazon ECS, ECS; Amazon ECR, ECR; AWS Fargate, Fargate; Amazon CloudWatch, CloudWatch;
Amazon CloudFront, CloudFront; Amazon Route 53, Route 53, Route53; Amazon Aurora, ^Aurora;
Amazon Redshift, Redshift; Amazon Kinesis, Kinesis; Amazon Cognito, Cognito;
Amazon Athena, ^Athena; Amazon Bedrock, ^Bedrock; Amazon SageMaker, SageMaker; ElastiCache;
Amazon EventBridge, EventBridge; AWS Step Functions, Step Functions; AWS Secrets Manager;
AWS IAM, ^IAM; Google Cloud, gcloud, GCP, Google Cloud Platform; Google Cloud Storage, GCS;
Google Cloud Run, Cloud Run; Google Kubernetes Engine, GKE; BigQuery, Google BigQuery; Cloud SQL;
Pub/Sub, PubSub, Google Pub/Sub; Vertex AI; Firebase; Firestore; Google Drive; Google Sheets;
Google Docs; Google Calendar; Google Analytics; Gmail; Microsoft Azure, Azure; Azure Functions;
Azure Blob Storage; Azure AD, Entra ID, Microsoft Entra; AKS; Cosmos DB, CosmosDB; SharePoint;
OneDrive; Microsoft Teams, MS Teams, ~Teams; Microsoft Word; Microsoft Excel, ^Excel;
Microsoft Outlook, ^Outlook; Power BI; DigitalOcean; Hetzner; OVH, OVHcloud; Linode; Vultr;
Scaleway; Heroku; Fly.io, ~Fly; ~Render, Render.com; ^Railway; Vercel; Netlify; Cloudflare;
Cloudflare Workers; Cloudflare R2; Fastly; Akamai; Supabase; PlanetScale; Neon Postgres; Turso;
Appwrite; PocketBase; PostgreSQL, Postgres, PG, psql, pgsql; pgvector; PgBouncer; pg_dump;
TimescaleDB, Timescale; PostGIS; MySQL; MariaDB; SQLite, sqlite3; sqlite-vec;
Microsoft SQL Server, SQL Server, MSSQL; Oracle Database, Oracle DB; CockroachDB;
YugabyteDB, Yugabyte; MongoDB, Mongo; CouchDB; Cassandra, Apache Cassandra; ScyllaDB, Scylla;
Neo4j; ClickHouse; DuckDB;
InfluxDB; Elasticsearch, Elastic Search; OpenSearch; Meilisearch; Typesense; Algolia;
Solr, Apache Solr; Redis; Valkey; KeyDB; Memcached, memcache; etcd; ZooKeeper, Apache ZooKeeper;
RocksDB; LevelDB; LMDB; Pinecone; Qdrant; Weaviate; Milvus; ^Chroma, ChromaDB; FAISS; MinIO;
Apache Kafka, Kafka; Redpanda; RabbitMQ; ActiveMQ; NATS; MQTT; Mosquitto; ZeroMQ;
Apache Pulsar, ^Pulsar; BullMQ; ~Temporal, Temporal.io; Apache Airflow, ^Airflow; Dagster;
^Prefect; Apache Spark, ^Spark, PySpark; Apache Flink, Flink; Apache Beam; Hadoop; Trino; ^Presto;
Apache Hive; dbt; Fivetran; Airbyte; Snowflake; Databricks; Delta Lake; Apache Iceberg, ^Iceberg;
Looker; Tableau; Metabase; Superset; Grafana; Grafana Loki, ^Loki; Grafana Tempo, ^Tempo;
Prometheus; Alertmanager; Thanos; VictoriaMetrics; OpenTelemetry, OTel; Jaeger; Zipkin; ^Sentry;
Datadog; New Relic, NewRelic; Honeycomb; Splunk; Logstash; Kibana; Fluentd; Fluent Bit, Fluentbit;
^Vector.dev; PagerDuty; Opsgenie; ^Statuspage; UptimeRobot; LaunchDarkly; ^Unleash; ^Flagsmith;
PostHog;
^Amplitude; Mixpanel; ^Segment.io; Plausible Analytics; Stripe; Adyen; PayPal; Braintree; ^Paddle;
^Plaid; Twilio; SendGrid; Mailgun; ^Postmark; Mailchimp; ^Resend; ^Intercom; Zendesk; HubSpot;
Salesforce; ^SAP, SAP HANA; ServiceNow; Auth0; Okta; Keycloak; ^Clerk; Authelia; Authentik;
Ory Kratos; LDAP; Active Directory; 1Password; Bitwarden; Doppler secrets; Tailscale; WireGuard;
OpenVPN; ngrok; ^Slack; Discord; Telegram; WhatsApp; Mattermost; ^Zoom; Jira; Confluence; ~Linear;
~Notion; Asana; Trello; ClickUp; Monday.com; Basecamp; YouTrack; ^Shortcut.com; Redmine; Figma;
Miro; Excalidraw; ^Loom; Airtable; Zapier; n8n; Directus; Ghost CMS; Keystatic; Prismic; DatoCMS;
Google Play; App Store; Google Maps; Mapbox; OpenStreetMap, ^OSM; Leaflet; PostHog Cloud;
Harbor registry, ^Harbor; Artifactory, JFrog Artifactory; Sonatype Nexus; Docker Desktop;
OrbStack; Colima; Lima VM; LocalStack; Sourcegraph; ^Backstage; Coolify; Dokku; Portainer;
Nginx Proxy Manager; Greenplum; Teradata; Vitess; SurrealDB; EdgeDB; FoundationDB; ArangoDB;
Dgraph; Memgraph; TiDB; Apache Druid; Apache Pinot; Apache Superset; Apache NiFi; Debezium;
Great Expectations; Hightouch; Matillion; ~Materialize; Quickwit; Sentry Cloud; Rollbar; Bugsnag;
Checkly; Better Stack; Grafana k6, k6; JMeter; Gatling; Dynatrace; AppDynamics; Cloudinary; imgix;
Twitch; Braze; Klaviyo; Customer.io; Freshdesk; Help Scout; Calendly; DocuSign; Xero; QuickBooks;
DATEV; Klarna; Mollie; Wise Payments; GoCardless; Chargebee; Recurly; Checkout.com;
Windows Server; openSUSE, SUSE; Rocky Linux; NetBSD; OpenBSD; Steam Deck; PlayStation;
Nintendo Switch; tvOS; watchOS; Copilot Studio; Perplexity; ^Whisper; Stable Diffusion;
Midjourney; Patroni; QuestDB; Grafana Mimir, ^Mimir; Google Spanner, Cloud Spanner, ^Spanner;
GlusterFS; Neon Database; Cohere; LangSmith; Langfuse; Ragas; Text Embeddings Inference;
sentence-transformers, SentenceTransformers; MiniLM, all-MiniLM-L6-v2; Retool; Contentful;
^Sanity.io; Strapi; Shopify; WooCommerce; Magento; ^Webflow; ChatGPT; GPT-4, GPT-4o, GPT4; GPT-5;
Claude; Claude Code; Claude Desktop; ^Gemini; Gemini CLI; Codex, Codex CLI; OpenCode; Aider;
Cline; ^Devin; ^Llama, Llama 3, Llama3; Mistral; Mixtral; Qwen, Qwen2, Qwen3; DeepSeek; Ollama;
vLLM; llama.cpp; LM Studio; ONNX Runtime, onnxruntime; ONNX; OpenRouter; LiteLLM; Groq;
Weights & Biases, wandb; MLflow; ^Ray; Kubeflow; Linux; Ubuntu; Debian; Fedora; Arch Linux;
Alpine Linux, ^Alpine; CentOS; RHEL, Red Hat Enterprise Linux; macOS, OS X;
^Windows, Windows 11, Windows 10; FreeBSD; iOS; Android; iPadOS; Raspberry Pi; Arduino; ESP32;
GNOME; KDE, KDE Plasma; Wayland; X11; Chrome, Google Chrome; Firefox; ^Safari; Chromium;
^Edge browser, Microsoft Edge
"""
