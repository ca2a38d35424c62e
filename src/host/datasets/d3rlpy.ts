// d3rlpy replay buffers, file version 2.1: `<folder>/<split>.h5`. The format keeps T observations of T + 1: d3rlpy
// needs no observation after the end of an episode that terminated, and leaves out the last step of one that was truncated.
import { join } from 'node:path';
import type { DatasetWriter } from './datasetWriter.ts';
import type { NumericArray } from './dtype.ts';
import { type ArraySpec, observationPrefix, rowLength } from './episodeData.ts';
import { Hdf5File } from './hdf5File.ts';

const version = '2.1';
const columns = ['observations', 'actions', 'rewards', 'terminated'] as const;

/** [rows, height, width, channel] to [rows, channel, height, width], as d3rlpy's image encoders have it. */
function channelsFirst(pixels: NumericArray, rows: number, [height, width, channels]: readonly number[]) {
  const moved = new Uint8Array(pixels.length);
  const area = height! * width!;
  const size = area * channels!;
  for (let row = 0; row < rows; row++) {
    for (let pixel = 0; pixel < area; pixel++) {
      for (let channel = 0; channel < channels!; channel++) {
        moved[row * size + channel * area + pixel] = Number(
          pixels[row * size + pixel * channels! + channel]!,
        );
      }
    }
  }
  return moved;
}

function observationRows(spec: ArraySpec, array: NumericArray, steps: number) {
  const data = array.subarray(0, steps * rowLength(spec));
  if (spec.shape.length < 3) return { dtype: spec.dtype, shape: [steps, ...spec.shape], data };
  const [height, width, channels] = spec.shape as [number, number, number];
  return {
    dtype: spec.dtype,
    shape: [steps, channels, height, width],
    data: channelsFirst(data, steps, spec.shape),
  };
}

export const writeD3rlpy: DatasetWriter = async (folder, source, { split }, onEpisode) => {
  const { observations } = source.layout;
  const file = await Hdf5File.create(join(folder, `${split}.h5`));
  file.text('columns', columns);
  file.dataset('num_episodes', {
    dtype: 'int64',
    shape: [],
    data: new BigInt64Array([BigInt(source.size)]),
  });
  for (let place = 0; place < source.size; place++) {
    const { header, arrays } = source.read(place);
    const { steps } = header;
    for (const [index, spec] of observations.entries()) {
      const name = observations.length === 1 ? `observations_${place}` : `observations_${place}_${index}`;
      const array = arrays[`${observationPrefix}${spec.name}`]!;
      file.dataset(name, observationRows(spec, array, steps));
    }
    file.dataset(`actions_${place}`, { dtype: 'int64', shape: [steps, 1], data: arrays.actions! });
    file.dataset(`rewards_${place}`, { dtype: 'float32', shape: [steps, 1], data: arrays.rewards! });
    const terminated = arrays.terminations!.subarray(steps - 1);
    file.dataset(`terminated_${place}`, { dtype: 'bool', shape: [], data: terminated });
    onEpisode();
  }
  file.text('version', version);
  file.close();
};
