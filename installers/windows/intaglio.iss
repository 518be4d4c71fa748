; The installer for Windows, for Inno Setup 6.3 or newer. `python3 app package inno` runs it with:
;   /DVersion=1.2.3 /DNumbers=1.2.3.0 /DArchitecture=x64 (or arm64) /DSource=FOLDER /DIcon=FILE /DLicense=FILE
;   /O"FOLDER" /F"NAME", and to sign it /Sintaglio=COMMAND /DSignTool=intaglio
;
; It installs for the user who runs it, without administrator rights, and switches nothing on that
; isn't ticked. Start at login and the removal are done by Intaglio itself, as on every system.

#if Architecture == "arm64"
  #define Allowed "arm64"
#else
  #define Allowed "x64compatible"
#endif

; Never change this: by it, a newer version finds the older one.
#define AppCode "B6A0B9C4-3D2F-4C59-9A52-6E3D4D1B7A10"

[Setup]
AppId={{{#AppCode}}
AppName=Intaglio
AppVersion={#Version}
AppVerName=Intaglio {#Version}
VersionInfoVersion={#Numbers}
DefaultDirName={localappdata}\Programs\Intaglio
DisableProgramGroupPage=yes
DisableDirPage=auto
PrivilegesRequired=lowest
ArchitecturesAllowed={#Allowed}
ArchitecturesInstallIn64BitMode={#Allowed}
; The first Windows 10 whose notifications and pseudo-console the libraries support.
MinVersion=10.0.17763
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\intagliow.exe
UninstallDisplayName=Intaglio
LicenseFile={#License}
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
ChangesEnvironment=yes
; What runs is stopped by Intaglio itself (PrepareToInstall), in order.
CloseApplications=no
#ifdef SignTool
SignTool={#SignTool}
#endif

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "path"; Description: "Add the command ""intaglio"" to PATH"
Name: "login"; Description: "Start Intaglio when I log in"; Flags: unchecked
Name: "desktop"; Description: "Put an icon on the desktop"; Flags: unchecked

[InstallDelete]
; Files of an older version that a newer one no longer has.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Source}\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Intaglio"; Filename: "{app}\intagliow.exe"; Parameters: "tray"; AppUserModelID: "Intaglio"
Name: "{autodesktop}\Intaglio"; Filename: "{app}\intagliow.exe"; Parameters: "tray"; AppUserModelID: "Intaglio"; Tasks: desktop

[Registry]
; A link comes from a web page: "--" keeps it from being read as an option.
Root: HKCU; Subkey: "Software\Classes\intaglio"; ValueType: string; ValueData: "URL:Intaglio"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\intaglio"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKCU; Subkey: "Software\Classes\intaglio\DefaultIcon"; ValueType: string; ValueData: """{app}\intagliow.exe"",0"
Root: HKCU; Subkey: "Software\Classes\intaglio\shell\open\command"; ValueType: string; ValueData: """{app}\intagliow.exe"" tray -- ""%1"""

[Run]
Filename: "{app}\intagliow.exe"; Parameters: "autostart on"; Flags: runhidden; Tasks: login
Filename: "{app}\intagliow.exe"; Parameters: "tray"; Description: "Start Intaglio"; Flags: postinstall nowait skipifsilent

[UninstallRun]
; Stops what runs, takes the hooks out of every agent's settings, and keeps the data.
Filename: "{app}\intaglio.exe"; Parameters: "uninstall --yes --keep-data"; Flags: runhidden; RunOnceId: "Uninstall"

[UninstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Code]
const
  EnvironmentKey = 'Environment';
  UninstallKey = 'Software\Microsoft\Windows\CurrentVersion\Uninstall\{{#AppCode}}_is1';
  WebView2Key = 'Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}';
  StopSeconds = 30;
  ReadWriteExclusive = $0012;

{ An older version can't read a database that a newer one has migrated. }
function InitializeSetup: Boolean;
var
  Installed: String;
  Old, New: Int64;
begin
  Result := True;
  if RegQueryStringValue(HKCU, UninstallKey, 'DisplayVersion', Installed) and
    StrToVersion(Installed, Old) and StrToVersion('{#Numbers}', New) and
    (ComparePackedVersion(Old, New) > 0) then
  begin
    SuppressibleMsgBox('Intaglio ' + Installed + ' is installed. Its database can''t be used by the ' +
      'older version {#Version}. Remove Intaglio first if you want to install that.', mbError, MB_OK,
      IDOK);
    Result := False;
  end;
end;

function IsVersion(Value: String): Boolean;
begin
  Result := (Value <> '') and (Value <> '0.0.0.0');
end;

function HasWebView2: Boolean;
var
  Value: String;
begin
  Result :=
    (RegQueryStringValue(HKLM32, 'SOFTWARE\' + WebView2Key, 'pv', Value) and IsVersion(Value)) or
    (RegQueryStringValue(HKLM64, 'SOFTWARE\' + WebView2Key, 'pv', Value) and IsVersion(Value)) or
    (RegQueryStringValue(HKCU, 'SOFTWARE\' + WebView2Key, 'pv', Value) and IsVersion(Value));
end;

{ The file of a running program can be renamed, but not opened to be written. }
function IsInUse(Name: String): Boolean;
var
  Target: String;
  Stream: TFileStream;
begin
  Result := False;
  Target := ExpandConstant('{app}\') + Name;
  if FileExists(Target) then
  try
    Stream := TFileStream.Create(Target, ReadWriteExclusive);
    Stream.Free;
  except
    Result := True;
  end;
end;

function PrepareToInstall(var NeedsRestart: Boolean): String;
var
  Code, Waited: Integer;
begin
  Result := '';
  { Neither minds if nothing runs. }
  if FileExists(ExpandConstant('{app}\intaglio.exe')) then
  begin
    Exec(ExpandConstant('{app}\intaglio.exe'), 'tray --quit', '', SW_HIDE,
      ewWaitUntilTerminated, Code);
    Exec(ExpandConstant('{app}\intaglio.exe'), 'daemon stop', '', SW_HIDE,
      ewWaitUntilTerminated, Code);
  end;
  Waited := 0;
  while (IsInUse('intaglio.exe') or IsInUse('intagliow.exe')) and (Waited < StopSeconds) do
  begin
    Sleep(1000);
    Waited := Waited + 1;
  end;
  if Waited >= StopSeconds then
    Result := 'Intaglio is still in use. Quit it from its icon in the taskbar, close the sessions ' +
      'of your agents, and try again.';
end;

{ PATH is a list that belongs to the user: our folder is added once and taken out again, and what
  else is in it stays as it is. }
procedure SetPath(Present: Boolean);
var
  Value, Folder: String;
  Position: Integer;
begin
  Folder := ExpandConstant('{app}');
  if not RegQueryStringValue(HKCU, EnvironmentKey, 'Path', Value) then
    Value := '';
  Position := Pos(';' + Lowercase(Folder) + ';', ';' + Lowercase(Value) + ';');
  if Present and (Position = 0) then
  begin
    if (Value <> '') and (Value[Length(Value)] <> ';') then
      Value := Value + ';';
    RegWriteExpandStringValue(HKCU, EnvironmentKey, 'Path', Value + Folder);
  end;
  if not Present and (Position > 0) then
  begin
    Delete(Value, Position, Length(Folder) + 1);
    RegWriteExpandStringValue(HKCU, EnvironmentKey, 'Path', Value);
  end;
end;

procedure CurStepChanged(CurStep: TSetupStep);
begin
  if CurStep = ssPostInstall then
  begin
    SetPath(WizardIsTaskSelected('path'));
    if not HasWebView2 and not WizardSilent then
      MsgBox('Windows'' WebView2 Runtime isn''t installed. Intaglio opens the dashboard in your ' +
        'browser until it is.', mbInformation, MB_OK);
  end;
end;

procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
begin
  if CurUninstallStep = usPostUninstall then
  begin
    SetPath(False);
    if not UninstallSilent then
      MsgBox('Intaglio is removed. Your memories and settings stay in the folder .agents of your ' +
        'user folder; delete it if you don''t need them.', mbInformation, MB_OK);
  end;
end;
