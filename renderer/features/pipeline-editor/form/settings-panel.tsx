/** What the chosen node is set to; follows the selection. */
export function SettingsPanel() {
  return <aside className="editor-settings" data-region="settings" />;
}
