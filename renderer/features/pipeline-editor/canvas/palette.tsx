/** The node kinds by category, to be dragged onto the canvas or added by Enter. */
export function Palette() {
  return <div className="editor-palette" data-region="palette" />;
}
