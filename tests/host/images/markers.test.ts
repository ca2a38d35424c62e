import { describe, expect, test } from 'vitest';
import { drawMarkers, markerRadius, markersFit, projectMarkers } from '../../../src/host/images/markers.ts';
import { publishedRig } from '../../../src/kernels/camera/rig.ts';

const pose = { x: 160_000, y: -71_573, heading: 2700 };

describe('markers', () => {
  const markers = projectMarkers(publishedRig, pose);

  test('stand where a pinhole camera puts them, by hand', () => {
    // Focal length 360 / tan 50°; a point d ahead and s to the right on the ground, 2.45 m below, the axis 25° down.
    const focal = 360 / Math.tan((50 * Math.PI) / 180);
    const pitch = (25 * Math.PI) / 180;
    const diagonal = Math.SQRT1_2;
    const ground = [
      [1, 0],
      [2, 0],
      [2 * diagonal, -2 * diagonal],
      [2 * diagonal, 2 * diagonal],
      [4, 0],
      [4 * diagonal, -4 * diagonal],
      [4 * diagonal, 4 * diagonal],
    ] as const;
    for (const [place, [ahead, right]] of ground.entries()) {
      const depth = ahead * Math.cos(pitch) + 2.45 * Math.sin(pitch);
      const below = 2.45 * Math.cos(pitch) - ahead * Math.sin(pitch);
      // The destinations are exact in the rules' Q14 numbers, which differ from these by up to 0.3 mm.
      expect(Math.abs(markers[place]!.x - 360 - (focal * right) / depth)).toBeLessThan(0.1);
      expect(Math.abs(markers[place]!.y - 320 - (focal * below) / depth)).toBeLessThan(0.1);
    }
  });

  test('3 and 6 are to the visual left, 4 and 7 to the right', () => {
    const [, , third, fourth, , sixth, seventh] = markers.map(({ x }) => x);
    expect(third).toBeLessThan(360);
    expect(sixth).toBeLessThan(360);
    expect(fourth).toBeGreaterThan(360);
    expect(seventh).toBeGreaterThan(360);
  });

  test('3 ends at yaw -45 of the heading (RT-SAFE protocol §19: from heading -Y by (-141.4, -141.4))', () => {
    expect((markers[2]!.worldX - pose.x) / 16).toBeCloseTo(-141.4, 0);
    expect((markers[2]!.worldY - pose.y) / 16).toBeCloseTo(-141.4, 0);
  });

  test('fit the published picture, all apart', () => {
    expect(markersFit(publishedRig, markers)).toBe(true);
    expect(
      markersFit(
        { ...publishedRig, pitchDegrees: 10 },
        projectMarkers({ ...publishedRig, pitchDegrees: 10 }, pose),
      ),
    ).toBe(false);
  });

  test.each([
    [640, 16],
    [64, 12],
    [2000, 30],
  ])('radius at height %i is %i', (height, radius) => {
    expect(markerRadius(height)).toBe(radius);
  });

  test("a drawn disc's middle is the projection to half a pixel", () => {
    const { width, height } = publishedRig;
    for (const marker of markers) {
      const image = new Uint8Array(width * height * 4);
      drawMarkers(image, publishedRig, [marker]);
      let [count, sumX, sumY] = [0, 0, 0];
      for (let place = 0; place < width * height; place++) {
        if (image[place * 4] === 0 && image[place * 4 + 1] === 0) continue;
        count++;
        sumX += (place % width) + 0.5;
        sumY += Math.floor(place / width) + 0.5;
      }
      expect(Math.abs(sumX / count - marker.x)).toBeLessThan(0.5);
      expect(Math.abs(sumY / count - marker.y)).toBeLessThan(0.5);
      expect(count).toBeGreaterThan(Math.PI * 15 * 15);
    }
  });
});
