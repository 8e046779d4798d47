import { png } from './png.ts';
import type { TrayMark } from './tray-state.ts';

/**
 * The icon of the tray, drawn here: the sluice gate of `renderer/public/sluice.svg` with a mark in its corner. It is
 * drawn because there are four states in several sizes, and no files to load inside the package.
 */
type Colour = readonly [red: number, green: number, blue: number];
type Inside = (x: number, y: number) => boolean;
interface Shape {
  colour: Colour;
  inside: Inside;
}

const GROUND: Colour = [0x29, 0x34, 0x3a];
const LIGHT: Colour = [0xee, 0xf2, 0xf4];
const AMBER: Colour = [0xff, 0xb3, 0x1a];
const RED: Colour = [0xe5, 0x48, 0x3b];
/** The coordinate system of the picture, as in the SVG. */
const UNITS = 24;
const SAMPLES = 4;

const box =
  (left: number, top: number, right: number, bottom: number): Inside =>
  (x, y) =>
    x >= left && x < right && y >= top && y < bottom;
const disc =
  (centreX: number, centreY: number, radius: number): Inside =>
  (x, y) =>
    Math.hypot(x - centreX, y - centreY) < radius;

const GATE: Shape[] = [
  { colour: GROUND, inside: box(0, 0, 24, 24) },
  { colour: LIGHT, inside: box(3.9, 2.9, 6.1, 21.1) },
  { colour: LIGHT, inside: box(17.9, 2.9, 20.1, 21.1) },
  { colour: LIGHT, inside: box(8, 5, 16, 12) },
  { colour: LIGHT, inside: box(8, 14.6, 16, 16.4) },
  { colour: LIGHT, inside: box(8, 18.1, 16, 19.9) },
];

/** Each with a rim in the colour of the background, so that it contrasts with the gate. */
const MARKS = {
  running: [],
  // A ring.
  starting: [
    { colour: GROUND, inside: disc(17.5, 17.5, 7) },
    { colour: AMBER, inside: (x, y) => disc(17.5, 17.5, 5.5)(x, y) && !disc(17.5, 17.5, 2.6)(x, y) },
  ],
  // A square.
  stopped: [
    { colour: GROUND, inside: box(11, 11, 24, 24) },
    { colour: RED, inside: box(12.5, 12.5, 22.5, 22.5) },
  ],
  // A triangle.
  alarm: [
    { colour: GROUND, inside: triangle(17, 8.5, 24) },
    { colour: AMBER, inside: triangle(17, 11, 22.8) },
  ],
} as const satisfies Record<TrayMark, readonly Shape[]>;

function triangle(centreX: number, top: number, bottom: number): Inside {
  return (x, y) => y >= top && y < bottom && Math.abs(x - centreX) < ((y - top) / (bottom - top)) * 7;
}

/** A PNG of `side` × `side` pixels. */
export function trayIcon(mark: TrayMark, side: number): Buffer {
  const shapes = [...GATE, ...MARKS[mark]];
  const pixels = new Uint8Array(side * side * 4);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) pixels.set([...mean(shapes, x, y, side), 0xff], (y * side + x) * 4);
  }
  return png(pixels, side);
}

/** The mean colour of a pixel's samples. */
function mean(shapes: readonly Shape[], x: number, y: number, side: number): number[] {
  const sum = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
    const atX = (x + ((sample % SAMPLES) + 0.5) / SAMPLES) * (UNITS / side);
    const atY = (y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) * (UNITS / side);
    const colour = shapes.findLast(({ inside }) => inside(atX, atY))?.colour ?? GROUND;
    colour.forEach((part, index) => (sum[index] = (sum[index] ?? 0) + part));
  }
  return sum.map((part) => Math.round(part / (SAMPLES * SAMPLES)));
}
