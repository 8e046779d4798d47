/** The graph. */
export function Canvas() {
  return <div className="editor-canvas" data-region="canvas" />;
}
