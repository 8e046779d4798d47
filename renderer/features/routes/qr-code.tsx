import { encode } from 'uqr';

/** White space that scanners need around the code (ISO/IEC 18004: four modules). */
const QUIET = 4;

const drawingOf = (label: string) => ({ role: 'img', 'aria-label': label });

/** A QR code as SVG: black on white in both colour schemes, because scanners expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET, ecc: 'M' });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" {...drawingOf(label)}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
