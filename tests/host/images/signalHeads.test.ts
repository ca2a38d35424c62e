// Who crosses must see the pedestrian signal across: no vehicle head stands before it.
import { expect, test } from 'vitest';
import { compileCameraScene } from '../../../src/host/images/cameraScene.ts';
import { buildCity, type City } from '../../../src/host/scenes/city.ts';
import { listBundledScenes, loadBundledScene } from '../../../src/host/scenes/load.ts';
import { readShader } from '../../../src/host/shaderFiles.ts';
import { type FamilyName, familyPlace } from '../../../src/kernels/camera/meshes.ts';
import { structLayout } from '../../../src/kernels/layout.ts';

type Place = readonly [number, number];

/** Centimetres in the plane of all things of a family. */
function placesOf(city: City, family: FamilyName): Place[] {
  const layout = structLayout(readShader('common/cameraLayout.wgsl'), 'Thing');
  const { words, thingsFirst } = compileCameraScene([city]);
  const found: Place[] = [];
  for (let at = thingsFirst * 4; at + layout.words <= words.length; at += layout.words) {
    if (words[at + layout.word('family')] !== familyPlace(family)) continue;
    found.push(
      [words[at + layout.word('x')]! | 0, words[at + layout.word('y')]! | 0].map(
        (units) => units / 16,
      ) as never,
    );
  }
  return found;
}

/** How far a place is beside the line of sight from `eye` to `goal`, cm; infinite beyond its ends. */
function besideSight(eye: Place, goal: Place, place: Place): number {
  const [x, y] = [goal[0] - eye[0], goal[1] - eye[1]];
  const length = Math.hypot(x, y);
  const along = ((place[0] - eye[0]) * x + (place[1] - eye[1]) * y) / length;
  const aside = Math.abs((place[0] - eye[0]) * y - (place[1] - eye[1]) * x) / length;
  return along > 0 && along < length ? aside : Number.POSITIVE_INFINITY;
}

/** Half a pedestrian head and half a vehicle head beside each other, cm. */
const clear = 46 + 34;

test.each(listBundledScenes())('%s: from all of a zebra the head across is seen', (name) => {
  const city = buildCity(loadBundledScene(name));
  const [walkers, vehicles] = [placesOf(city, 'pedestrianSignal'), placesOf(city, 'vehicleSignal')];
  const hidden: string[] = [];
  let looked = 0;
  for (const [index, { ax, ay, bx, by, signalised }] of city.crosswalks.entries()) {
    if (!signalised) continue;
    const length = Math.hypot(bx - ax, by - ay);
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    for (const beside of [-150, 0, 150]) {
      for (let share = 0; share < 1; share += 0.1) {
        const eye: Place = [ax + (bx - ax) * share - uy * beside, ay + (by - ay) * share + ux * beside];
        // The nearest head beyond the end ahead.
        const ahead = walkers.filter(([x, y]) => (x - bx) * ux + (y - by) * uy > 0);
        const goal = ahead.toSorted(
          (a, b) => Math.hypot(a[0] - bx, a[1] - by) - Math.hypot(b[0] - bx, b[1] - by),
        )[0]!;
        looked++;
        if (vehicles.some((vehicle) => besideSight(eye, goal, vehicle) < clear))
          hidden.push(`crosswalk ${index}, ${Math.round(share * 100)} % of the way, ${beside} cm aside`);
      }
    }
  }
  expect(hidden).toEqual([]);
  expect(looked).toBeGreaterThan(0);
});
