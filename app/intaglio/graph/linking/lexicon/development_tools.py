"""Tools of development that the linker knows.

Semicolons separate them; commas separate the spellings of one, of which the first is its name. A
spelling after ``^`` counts as a name only when capitalised, or in lower case where the words
around it tell; one after ``~`` is an ordinary word too, so that its place in the sentence decides.
"""

from typing import Final

DEVELOPMENT_TOOLS: Final = """
Apollo Server, Apollo GraphQL, Apollo Client, ^Apollo; urql; KaTeX; MathJax; Read the Docs;
Codemagic; Bitrise; RE2; ext4; XFS; launchd; libcurl; libuv; libpq; zlib; Git; GitHub, gh;
GitHub Actions, GH Actions, GHA; GitHub Releases; GitHub Pages; GitHub Copilot, Copilot;
GitHub Codespaces, Codespaces; GitLab; GitLab CI, GitLab CI/CD, gitlab-ci; Bitbucket; Gitea;
Forgejo; Codeberg; Gerrit; Mercurial; Subversion, SVN; Perforce; Jenkins; CircleCI, Circle CI;
Travis CI, Travis-CI; TeamCity; Buildkite; Drone CI; Argo CD, ArgoCD; Argo Workflows;
^Flux, FluxCD; Tekton; Spinnaker; Azure DevOps; Azure Pipelines; Dependabot;
^Renovate, Renovate Bot, RenovateBot; Codecov; SonarQube, Sonar; Snyk; Trivy; Semgrep; CodeQL;
Gitleaks; ^Changesets; Husky; lint-staged; pre-commit; commitlint; semantic-release;
release-please; GoReleaser; Cosign; Sigstore; VS Code, VSCode, Visual Studio Code; VSCodium;
Visual Studio; IntelliJ IDEA, IntelliJ; PyCharm; WebStorm; GoLand; RubyMine; CLion; DataGrip;
JetBrains Rider; Android Studio; Xcode; ~Cursor, Cursor IDE; Windsurf; ^Zed;
Neovim, nvim, neo-vim; LazyVim; Vim; Emacs, GNU Emacs, Doom Emacs; Sublime Text;
^Helix, Helix editor; ^Eclipse; tmux; iTerm2, iTerm; Ghostty; Alacritty; kitty terminal; WezTerm;
^Warp; Oh My Zsh; Starship prompt; direnv; asdf; mise; Homebrew; Chocolatey; ^Scoop; winget;
apt, apt-get; dnf; pacman; Nix; NixOS; npm; npx; pnpm; Yarn; Bun; Deno; Node.js, NodeJS, ~Node;
nvm; Volta; Corepack; Vite; Vitest; webpack; ^Rollup; esbuild; ^Parcel; Turborepo; Turbopack; Nx;
Lerna; SWC; Babel; ESLint; Prettier; Biome; stylelint; Oxlint; tsc; ts-node; tsup; tsx; Jest;
^Mocha; ^Chai; Cypress; Playwright; ^Puppeteer; Selenium; Storybook;
Testing Library, React Testing Library; MSW, Mock Service Worker; Chromatic;
^React, ReactJS, React.js; React Native; React Query, TanStack Query; React Router; Redux; Zustand;
MobX; Next.js, NextJS, ~Next; ^Remix; Gatsby; ^Astro; Vue, Vue.js, VueJS; Nuxt, Nuxt.js; Pinia;
Svelte; SvelteKit; Angular; SolidJS, Solid.js; Preact; Qwik; Lit Element; Alpine.js; htmx; jQuery;
Tailwind CSS, Tailwind, TailwindCSS; Bootstrap CSS, ^Bootstrap; shadcn/ui, shadcn; Material UI, MUI;
Chakra UI; styled-components; Sass, SCSS; PostCSS; D3.js, d3; Three.js; Chart.js;
~Express, Express.js, ExpressJS; Fastify; NestJS, Nest.js, ~Nest; Koa; Hono; Hapi; tRPC;
React Hook Form, react-hook-form; Valibot; Radix UI, ^Radix; Framer Motion; vanilla-extract; ^SWR;
RxJS; NgRx; XState; Jotai; Ky HTTP; Winston logger; ^Pino; Nodemon; PM2; ts-jest; happy-dom;
jsdom; Parcel bundler; UnoCSS; Bulma; Ant Design; PrimeVue; Vuetify; Quasar; Blender; Wwise; FMOD;
Houdini; ldtk; Altair; Seaborn; Bokeh; ^Hydra; Optuna; XGBoost; LightGBM; spaCy; NLTK; PaddleOCR;
Tesseract; Dask; joblib; Rich library; Textual TUI; ^Click library; argparse; attrs; marshmallow;
Tortoise ORM; peewee; psycopg, psycopg2, psycopg3; asyncpg; Beautiful Soup, BeautifulSoup, bs4;
Scrapy; ~Requests; ~Click; ~Rich; pre-commit.ci; Sanic; ^Tornado; ~Twisted; gevent;
Channels layer; pip-audit; Cookiecutter; ^Copier; Just task runner; cargo-nextest, nextest;
^rayon; Tonic gRPC; Bevy; egui; Leptos; Yew; thiserror; proptest; criterion.rs; pgx; Testify;
Wire DI; mockgen; GoConvey; ^Hugo; OkHttp; Retrofit; Dagger Hilt, Hilt; Koin; Room database;
detekt; ktlint; AssertJ; Quartz; MyBatis; jOOQ; Log4j, Log4j2; Logback; SLF4J; Kotest; MockK;
Vert.x; WireMock; Checkstyle; SpotBugs; MSBuild; ^IIS; ^Dapper; Serilog; Moq; ^MAUI; MediatR;
ActiveRecord, Active Record; ^Devise; Good Job, good_job; Solid Queue; Minitest; ^Pundit;
Stimulus.js; Eloquent; Livewire; PHP-FPM; Phinx; Pest PHP; ^Psalm; ^Twig; Doctrine ORM, ^Doctrine;
Oban; ExUnit; ^Credo; gfortran; OpenMP; OpenMPI, ^MPI; Slurm; Snakemake; Nextflow; renv;
tidyverse; ggplot2; dplyr; R Markdown, RMarkdown; Quarto; Zephyr RTOS, Zephyr; FreeRTOS;
PlatformIO; ESP-IDF; OpenOCD; J-Link, JLink; STM32, STM32CubeIDE; KiCad; Yocto; Buildroot;
Android NDK; Gradle Wrapper; Espresso tests; XCTest; XCUITest; Combine framework; Core Data;
Alamofire; ^Detox; ^Maestro; Appium; TestFlight; App Store Connect; Google Play Console;
Sphinx docs; Storyblok; Lokalise; Crowdin; Phrase TMS; Weblate; i18next; gettext; Atlantis;
Crossplane; Argo Rollouts, ^Argo; Velero; Kyverno; Open Policy Agent, ^OPA; cert-manager;
external-dns; Cilium; ^Calico; MetalLB; ^Longhorn; Ceph; ZFS; Btrfs; NFS; iSCSI; Samba; restic;
BorgBackup, Borg; Duplicity; Postfix; Dovecot; Nextcloud; Home Assistant; Zigbee2MQTT; Node-RED;
Pi-hole; Jellyfin; Prisma; Drizzle ORM, ^Drizzle; TypeORM; Sequelize; Mongoose; Knex; Zod; ~Yup;
Axios; Lodash; date-fns; Electron; Tauri; Capacitor; ^Ionic; ^Expo; Socket.IO; pip; pip-tools;
pipx; uv; ^Poetry; Pipenv; PDM; ^Hatch; conda; Mamba; virtualenv; pyenv; Ruff; ^Black; isort;
flake8; Pylint; mypy; Pyright; Pylance; basedpyright; ^Bandit; pytest; unittest; tox; Nox;
^Hypothesis; ^Locust; Django; Django REST Framework, DRF; ^Flask; FastAPI; Starlette; Litestar;
uvicorn; Gunicorn; Celery; ~Dramatiq; Pydantic; SQLAlchemy; Alembic; SQLModel; msgspec; NumPy;
pandas; Polars; SciPy; scikit-learn, sklearn; PyTorch, ^Torch; TensorFlow; Keras; JAX;
Hugging Face, HuggingFace; LangChain; LlamaIndex; LangGraph;
Jupyter, Jupyter Notebook, JupyterLab; Streamlit; Gradio; Matplotlib; Plotly; ^Typer; structlog;
asyncio; anyio; httpx; aiohttp; boto3; Cython; PyInstaller; Cargo; rustup; rustc; rustfmt; Clippy;
Tokio; async-std; Axum; Actix, actix-web; ^Rocket; Serde; clap; Diesel ORM; sqlx; reqwest;
ripgrep; rust-analyzer; gofmt; golangci-lint; gopls; ~Gin; ~Echo; ~Fiber; GORM; ^Cobra; ^Viper;
sqlc; Maven, mvn; Gradle; ~Ant, Apache Ant; ~Spring, Spring Framework; Spring Boot, SpringBoot;
Spring Security; ^Hibernate; Quarkus; Micronaut; Ktor; Lombok; JUnit, JUnit5; Mockito;
Testcontainers; Flyway; Liquibase; Tomcat, Apache Tomcat; ~Netty; Jackson; GraalVM; OpenJDK;
Jetpack Compose; SwiftUI; CocoaPods; UIKit; Fastlane; Flutter; .NET, dotnet, .NET Core;
ASP.NET, ASP.NET Core; Entity Framework, EF Core; NuGet; Blazor; xUnit; NUnit; Unity3D;
Unreal Engine; Godot; Ruby on Rails, RoR, ^Rails; Sinatra; Sidekiq; RSpec; RuboCop; Bundler;
RubyGems; ^Puma; Capistrano; Hotwire; Laravel; Symfony; ^Composer; PHPUnit; PHPStan; WordPress;
Drupal; ^Phoenix, Phoenix LiveView; ~Ecto; ~Mix; CMake; GNU Make, ~Make; ^Meson; ^Ninja; Bazel;
Taskfile, go-task; GCC; Clang; LLVM; GDB; LLDB; Valgrind; vcpkg; Conan; Emscripten; Wasmtime;
Qt, PyQt; GTK; OpenCV; CUDA; ROS2; OpenAPI, OpenAPI Spec; Swagger, Swagger UI; Postman; ^Insomnia;
^Bruno; cURL; wget; jq; yq; fzf; ffmpeg; ImageMagick; pandoc; LaTeX; Graphviz; PlantUML;
Mermaid, Mermaid.js; Sphinx; MkDocs; Docusaurus; VitePress; Hugo; Jekyll; Obsidian; systemd;
cron, crontab; SSH; SFTP; rsync; OpenSSL; Let's Encrypt, LetsEncrypt; certbot; GPG, GnuPG;
Vagrant; VirtualBox; VMware; Proxmox; QEMU; WSL, WSL2; Wireshark; strace; perf_events; gRPC;
WebRTC; WebAssembly, Wasm; Tree-sitter; Docker Buildx, buildx; Kaniko; Skaffold; TanStack;
^Joi; Ajv; Luxon; Day.js, dayjs; Ramda; ^Winston; ^Bunyan; Loguru;
Logrus; ^Diesel; ^Goose; Numba; Maturin; PyO3; rbenv; SDKMAN; OR-Tools, ortools; Gurobi; libSQL;
SMTP; IMAP; Google Colab, Colab; Kaggle; Unreal Engine, ^Unreal; Unity Engine, ^Unity; Rclone;
grpc-web, gRPC-Web; slog; Log4j; Logback; Micrometer; WireMock
"""
