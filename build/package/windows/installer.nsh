; What the installer asks besides the usual. Run without questions (/S) it answers No: a port is opened by a person.
; netsh by its full path: another one that lies beside the installer, among the downloads, would run with its rights.
!macro customInstall
  MessageBox MB_YESNO|MB_ICONQUESTION "Callers on your network reach Sluice's routes on TCP port 8090.$\r$\n$\r$\nLet Windows Firewall pass them, in private and domain networks? You can do this later in the firewall's settings." /SD IDNO IDNO noFirewallRule
    nsExec::ExecToLog '"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Sluice gateway (TCP 8090)"'
    Pop $R0
    nsExec::ExecToLog '"$SYSDIR\netsh.exe" advfirewall firewall add rule name="Sluice gateway (TCP 8090)" dir=in action=allow protocol=TCP localport=8090 profile=private,domain'
    Pop $R0
  noFirewallRule:
!macroend

; An update runs this too; the rule stays, because the new version's installer would have to ask again.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    nsExec::ExecToLog '"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Sluice gateway (TCP 8090)"'
    Pop $R0
  ${endIf}
!macroend
