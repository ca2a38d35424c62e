// What is encoded is what an independent decoder reads.

import * as fc from 'fast-check';
import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import { encodePng, quickLevel, smallestLevel } from '../../../src/host/images/encodePng.ts';

test('any picture comes out as it went in, without its alpha', () => {
  const size = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(
      size,
      size,
      fc.constantFrom(3, 4),
      fc.infiniteStream(fc.nat(255)),
      (width, height, channels, bytes) => {
        const data = Uint8Array.from(bytes.take(width * height * channels));
        const colours = channels === 3 ? data : data.filter((_, place) => place % 4 !== 3);
        const decoded = decode(encodePng({ width, height, data }), { checkCrc: true });
        expect(decoded).toMatchObject({ width, height, channels: 3, depth: 8 });
        expect(Buffer.compare(Buffer.from(decoded.data.buffer), Buffer.from(colours))).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

test('more effort, fewer bytes', () => {
  const data = Uint8Array.from({ length: 200 * 100 * 3 }, (_, place) => (place >> 5) ** 2 % 251);
  const picture = { width: 200, height: 100, data };
  expect(encodePng(picture, smallestLevel).length).toBeLessThan(encodePng(picture, quickLevel).length);
});
