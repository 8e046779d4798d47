import { expect, test } from 'vitest';
import { buttonOffset, FIT_LIMITS, textScale, ZOOM_MAX, ZOOM_MIN } from './view-limits.ts';

test('a text of 14 px is at least 12 px on the screen at every zoom, and not enlarged unnecessarily', () => {
  for (let zoom = ZOOM_MIN; zoom <= ZOOM_MAX; zoom += 0.01) {
    expect(14 * zoom * textScale(zoom), `at ${zoom}`).toBeGreaterThanOrEqual(11.999);
    expect(14 * zoom * textScale(zoom)).toBeLessThan(Math.max(14 * zoom, 12.7) + 0.01);
  }
  expect(textScale(1)).toBe(1);
});

test('the menu button of a node in the first row is within the canvas, and apart from the card elsewhere', () => {
  const { top } = FIT_LIMITS.edge;
  expect(top - buttonOffset(top) - 44).toBe(0);
  expect(buttonOffset(200)).toBe(4);
  expect(buttonOffset(-500)).toBe(-44);
});
