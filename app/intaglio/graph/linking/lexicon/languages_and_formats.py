"""Languages, formats, concepts and organizations that the linker knows, written like the tools."""

from typing import Final

LANGUAGES: Final = """
Python, Py3, CPython; JavaScript, JS, ECMAScript; TypeScript, TS; Java; Kotlin; Scala; Groovy;
Clojure; ClojureScript; ~Go, Golang; ~Rust, rust-lang, rustlang; ~C; C++, cpp;
C#, csharp, c sharp; F#; Objective-C, ObjC; ~Swift; Dart; ~Ruby; PHP; Perl; Lua; LuaJIT; ~R; ~D;
Julia; MATLAB; Haskell; OCaml; Elm; PureScript; Erlang; Elixir; Gleam; Zig; ~Nim; ~Crystal; ~Ada;
Fortran; COBOL; ~Pascal, Object Pascal; Delphi; Prolog; ~Scheme; ~Racket; Common Lisp, ^Lisp;
Emacs Lisp, elisp; Smalltalk; Solidity; Vyper; Move language; SQL; PL/SQL; PL/pgSQL, plpgsql;
T-SQL; GraphQL; Cypher query language; SPARQL; HCL; ~Nix language; Jsonnet; CUE lang; Starlark;
Bash; Zsh; ^Fish shell; PowerShell, pwsh; AWK; sed; VBA; Visual Basic, VB.NET;
Assembly language, x86 assembly; WGSL; GLSL; HLSL; Verilog; SystemVerilog; Tcl; Nushell;
Mojo lang; GDScript; Roc lang; ABAP; Apex code; Less CSS; Stata; SAS language; Typst; VHDL;
HTML, HTML5; CSS, CSS3; XSLT
"""

FORMATS: Final = """
JSON; JSON5; JSONC; JSONL, JSON Lines, NDJSON; JSON Schema; GeoJSON; YAML, YML; TOML; XML; CSV;
TSV; XLSX; WOFF2; TTF; DWG; USDZ; glTF; FBX; NetCDF; Shapefile; KML; GPX; vCard; DocBook;
PO files; INI; DOCX; PDF; Markdown; MDX; AsciiDoc; reStructuredText; SVG; PNG; JPEG, JPG; WebP;
AVIF; GIF; MP4; Parquet, Apache Parquet; Avro, Apache Avro; Apache Arrow, ^Arrow; Apache ORC;
Protobuf, Protocol Buffers, protobufs; MessagePack, msgpack; Thrift, Apache Thrift; CBOR; BSON;
JWT, JWTs; iCal, ^ICS; RSS; EPUB; GeoTIFF; HDF5; GGUF; safetensors; EDIFACT; MT940; SEPA XML; HL7;
FHIR; DICOM; MLLP; HL7 CDA; FIX protocol; ISO 20022; ISO 8583; ^RON; BPMN; KiCad files; STL files;
OpenEXR; KTX2; Basis Universal; USD files; ORC files; Iceberg tables; CAMT.053; XBRL;
Zstandard, zstd; gzip; Brotli
"""

CONCEPTS: Final = """
MCP, Model Context Protocol; LSP, Language Server Protocol; OAuth, OAuth2, OAuth 2.0, OAuth 2.1;
OpenID Connect, OIDC; SAML; PKCE; mTLS; REST API, RESTful API; CQRS; CRDT, CRDTs;
Conventional Commits; Semantic Versioning, SemVer; WebSocket, WebSockets; GDPR, DSGVO; HIPAA;
SOC 2, SOC2; PCI DSS, PCI-DSS; WCAG
"""

ORGANIZATIONS: Final = """
Google; Microsoft; ^Amazon; ^Apple; ~Meta, Facebook; Netflix; OpenAI; Anthropic; Nvidia; ^Intel;
AMD; IBM; ^Oracle; Red Hat; HashiCorp; JetBrains; Mozilla; Canonical Ltd; Spotify; ^Uber; Airbnb;
Twitter; LinkedIn; Reddit; YouTube; Hacker News, ^HN; Stack Overflow, StackOverflow;
Y Combinator, ^YC; Apache Software Foundation; Linux Foundation; CNCF; W3C; IETF; ^ISO; BMW;
Siemens; Bosch; Deutsche Bahn; Zalando; Shopware; Accenture; Deloitte; McKinsey; ^Visa; Mastercard
"""
