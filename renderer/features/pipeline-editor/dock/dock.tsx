/** Problems, Test, Runs, Changes. */
export function Dock() {
  return <section className="editor-dock" data-region="dock" />;
}
