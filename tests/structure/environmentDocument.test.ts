// docs/environment.md against what it describes: the fields of the state vector, the members of infos, the rewards.
import { expect, test } from 'vitest';
import { createEpisodeInfos } from '../../src/kernels/environment/infos.ts';
import { protocolWeights, scoreWeights } from '../../src/kernels/environment/reward.ts';
import { type StateGroup, stateFields, stateGroups } from '../../src/kernels/environment/stateFields.ts';
import { structLayout } from '../../src/kernels/layout.ts';
import { SummaryView } from '../../src/kernels/summaryView.ts';
import { readText } from './sourceFiles.ts';

const text = readText('docs/environment.md');

function rowsOf({ name, count, about, fields }: StateGroup): string[] {
  const member = count === 1 ? name : `${name}[0..${count - 1}]`;
  return [
    `| **${member}** | | | ${about} |`,
    ...fields.map(
      (field) =>
        `| \`${member}.${field.name}\` | ${field.unit} | ${field.minimum} .. ${field.maximum} | ${field.about} |`,
    ),
  ];
}

test('it has the table of the state vector, field by field and in order', () => {
  const table = ['| field | unit | range | what |', '|---|---|---|---|', ...stateGroups.flatMap(rowsOf)];
  expect(text).toContain(table.join('\n'));
  expect(text).toContain(`${stateFields.length} numbers`);
});

test('it names every member of infos', () => {
  const layout = structLayout(readText('shaders/common/layout.wgsl'), 'Summary');
  const names = [...Object.keys(createEpisodeInfos(new SummaryView(layout, 1), 1)), 'decided', 'started'];
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test('it has every term of the rewards with its value', () => {
  for (const [term, weight] of Object.entries({ ...protocolWeights, ...scoreWeights }))
    expect(text).toContain(`| \`${term}\` | ${weight} |`);
});
