/** A wire as a text, `check invalid reply`: the node it leaves, the port, the node it leads to. */
export function wireOf(text: string): { from: string; port: string; to: string } {
  const [from = '', port = '', to = ''] = text.split(' ');
  return { from, port, to };
}
