import { describe, expect, test } from 'vitest';
import { placeWindow } from './window-place.ts';

const main = { x: 0, y: 0, width: 1920, height: 1040 };
const left = { x: -1920, y: 0, width: 1920, height: 1080 };
const saved = { x: -1800, y: 100, width: 1400, height: 900 };

describe('the window opens', () => {
  test('where it was, if a display is still there', () => {
    expect(placeWindow(saved, [main, left])).toEqual(saved);
  });

  test('in the middle of the first display, if that display is gone', () => {
    expect(placeWindow(saved, [main])).toEqual({ width: 1280, height: 800 });
  });

  test.each([
    ['a corner of it in sight', { ...saved, x: 1900, y: 100 }],
    ['its upper edge above the display', { ...saved, x: 0, y: -200 }],
    ['its upper edge below the display', { ...saved, x: 0, y: 1030 }],
  ])('in the middle, when there would be only %s', (_what, bounds) => {
    expect(placeWindow(bounds, [main])).not.toHaveProperty('x');
  });

  test('no larger than its display', () => {
    expect(placeWindow({ x: 0, y: 0, width: 4000, height: 3000 }, [main])).toMatchObject({ width: 1920, height: 1040 });
  });

  test('no smaller than its pages need, even on a small panel', () => {
    expect(placeWindow(null, [{ x: 0, y: 0, width: 640, height: 480 }])).toEqual({ width: 800, height: 600 });
  });

  test('anywhere, if no display is given', () => {
    expect(placeWindow(saved, [])).toEqual({ width: 1280, height: 800 });
  });
});
