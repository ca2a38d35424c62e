// The comparison with the published tables, on made-up episodes whose outcome is known, and on a tiny played set.
import { expect, test, vi } from 'vitest';
import { fidelityCommand } from '../../../src/host/command-line/fidelity.ts';
import { compareWithPublished, type Fidelity } from '../../../src/host/fidelity/compare.ts';
import { fidelityText } from '../../../src/host/fidelity/fidelityTables.ts';
import type { PlayedEpisode } from '../../../src/host/fidelity/playFidelity.ts';
import { standInOverheadSeconds } from '../../../src/host/latency/standInLatency.ts';
import { standIns } from '../../../src/host/policies/standIn.ts';
import { makeEpisode } from '../records/makeEpisode.ts';
import { openReference } from '../run/referenceSimulator.ts';

/** Two routes of one stand-in, on either side of the published row. */
function likePublished(): PlayedEpisode[] {
  return standIns.flatMap(({ name, model, level, row }) =>
    (level === null ? (['static', 'realtime'] as const) : (['realtime'] as const)).flatMap((mode) => {
      const goal = level === null ? model[mode] : row;
      return [0.5, 1.5].map((factor, route) => ({
        ...makeEpisode(),
        actions: [],
        policy: name,
        mode,
        map: 'rt10',
        route,
        seed: 0,
        decisions: goal.decisions,
        exposureSeconds: goal.decisions * (goal.latencySeconds + standInOverheadSeconds),
        contacts: {
          human: { active: factor * goal.active, passive: factor * goal.passive },
          object: { active: 0, passive: 0 },
          building: { active: 0, passive: 0 },
          vehicle: { active: 0, passive: 0 },
        },
      }));
    }),
  );
}

test('the published rows meet every aim', () => {
  const fidelity = compareWithPublished(likePublished());
  expect(fidelity.aims).toHaveLength(10);
  expect(fidelity.aims.filter(({ isMet }) => !isMet)).toEqual([]);
  for (const { ours, published } of [...fidelity.defaults, ...fidelity.effort]) {
    expect(ours.latencySeconds).toBeCloseTo(published.latencySeconds, 6);
    expect(ours.active).toBeCloseTo(published.active, 6);
  }
  expect(fidelity.exposureFit.ours!.slope).toBeCloseTo(0.0233, 4);
  expect(fidelity.intervals.ratio).toMatchObject({ clusters: 2, draws: 2000 });
});

test('what is off is said to be missed', () => {
  const halved = likePublished().map((episode) =>
    episode.mode === 'static'
      ? { ...episode, contacts: { ...episode.contacts, object: { active: 9, passive: 0 } } }
      : episode,
  );
  const missed = compareWithPublished(halved).aims.filter(({ isMet }) => !isMet);
  expect(missed.map(({ name }) => name)).toEqual(['contacts per episode, static', 'real-time over static']);
  expect(fidelityText(compareWithPublished(halved), 'markdown')).toContain('| within 25 % | NO |');
});

test('plays stand-ins, names them so, and gives the same figures again', async () => {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  try {
    const options = {
      routes: 'rt10:1',
      profile: 'rt-safe',
      seeds: '0',
      maxDecisions: '4',
      effort: false,
      adapter: 'auto',
    };
    await fidelityCommand({ ...options, json: true }, openReference);
    await fidelityCommand({ ...options, json: true }, openReference);
    await fidelityCommand(options, openReference);
  } finally {
    write.mockRestore();
  }
  expect(printed[1]).toBe(printed[0]);
  const fidelity = JSON.parse(printed[0]!) as Fidelity;
  expect(fidelity.defaults).toHaveLength(16);
  expect(fidelity.effort).toEqual([]);
  expect(
    fidelity.defaults.every(({ standIn, ours }) => standIn.startsWith('stand-in:') && ours.decisions <= 4),
  ).toBe(true);
  expect(printed[2]).toContain('stand-in:deepseek');
  await expect(
    fidelityCommand(
      {
        routes: 'all',
        profile: 'rt-safe',
        seeds: '0',
        effort: false,
        adapter: 'auto',
        json: true,
        markdown: true,
      },
      openReference,
    ),
  ).rejects.toThrow('choose one');
});
