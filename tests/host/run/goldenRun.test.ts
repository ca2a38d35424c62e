// The published reference run (RT-SAFE protocol §19): rt10 route 0, easy, seed 0, greedy, 1 s of latency. It took 30
// decisions, 29 of them moves of 4 m, with SPL 0.99404467; 81 s in static mode and 111 s in real-time, which are 58 s of
// moves, 1 s of turning, 2 oil slow-downs of 2 s, 3 falls of 6 s, and 30 s of thinking.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EpisodeRecord } from '../../../src/host/records/episodeRecord.ts';
import { readEpisodes } from '../../../src/host/records/readEpisodes.ts';
import { defaultRunOptions, type RunOptions } from '../../../src/host/run/prepareRun.ts';
import { loadBundledScene } from '../../../src/host/scenes/load.ts';
import { newPath, runSmall } from './testRun.ts';

const golden: RunOptions = { ...defaultRunOptions, routes: 'rt10:0', difficulty: 'easy', latency: 'fixed:1' };

async function play(changes: Partial<RunOptions>): Promise<EpisodeRecord[]> {
  const folder = newPath();
  await runSmall(folder, { ...golden, maxDecisions: '100000', ...changes });
  return [...readEpisodes(join(folder, 'episodes.jsonl'))];
}

function expectGoldenPath(record: EpisodeRecord): void {
  expect(record).toMatchObject({ outcome: 'success', decisions: 30, travelledCm: 11_600 });
  expect(record.spl).toBeCloseTo(0.99404467, 6);
  expect(record.exposureSeconds).toBe(30);
}

test('with all actors, hazards off: 30 decisions, 11,600 cm, SPL 0.99404467', async () => {
  const records = await play({ without: 'hazards' });
  expect(records).toHaveLength(2);
  for (const record of records) expectGoldenPath(record);
});

test('without contacts and hazards: 59 s static, 89 s real-time', async () => {
  const records = await play({ without: 'hazards,pedestrians,dogs,objects,falling' });
  for (const record of records) expectGoldenPath(record);
  expect(records.map(({ mode, simSeconds }) => [mode, simSeconds])).toEqual([
    ['static', 59],
    ['realtime', 89],
  ]);
  expect(records.map(({ safeSuccess }) => safeSuccess)).toEqual([true, true]);
});

/** The ground objects of the published map beside the line that the agent walks. */
const groundObjects = [
  { kind: 'tennis', x: 9121.1, y: -4499.2 },
  { kind: 'oil', x: 9311.7, y: -5097.9 },
  { kind: 'water', x: 9452.3, y: -5703.6 },
  { kind: 'bottle1', x: 9207.7, y: -6302.0 },
  { kind: 'water', x: 9365.8, y: -6899.7 },
  { kind: 'bottle2', x: 9376.9, y: -7500.3 },
  { kind: 'tennis', x: 9242.1, y: -8103.6 },
  { kind: 'bottle2', x: 9337.8, y: -8701.4 },
  { kind: 'basketball', x: 8500.0, y: -9233.2 },
  { kind: 'bottle1', x: 7901.3, y: -9263.0 },
  { kind: 'bottle2', x: 7304.3, y: -9415.8 },
  { kind: 'bottle1', x: 6702.5, y: -9447.4 },
  { kind: 'bottle2', x: 6097.7, y: -9137.7 },
  { kind: 'oil', x: 5495.2, y: -9426.3 },
  { kind: 'oil', x: 4901.0, y: -9168.3 },
  { kind: 'water', x: 4303.5, y: -9299.6 },
  { kind: 'oil', x: 3701.0, y: -9266.8 },
  { kind: 'tennis', x: 3104.2, y: -9457.9 },
  { kind: 'tennis', x: 2504.1, y: -9209.1 },
] as const;

test('with the published ground objects: oil 2, trips 3, 81 s static, 111 s real-time', async () => {
  const path = newPath('golden.json');
  const scene = { ...loadBundledScene('rt10'), name: 'golden', scenery: { groundObjects } };
  writeFileSync(path, JSON.stringify(scene));
  const records = await play({ routes: `${path}:0`, without: 'pedestrians,dogs,objects,falling' });
  for (const record of records) expectGoldenPath(record);
  expect(
    records.map(({ mode, simSeconds, hazards }) => [mode, simSeconds, hazards.oil, hazards.trip]),
  ).toEqual([
    ['static', 81, 2, 3],
    ['realtime', 111, 2, 3],
  ]);
});
