// Chooses an adapter and opens it. Order for `auto`: a hardware GPU, the installed lavapipe, the embedded SwiftShader
// (lavapipe is the faster of the two software drivers).
import { GpuContext } from '../../kernels/device.ts';
import { RunError, UsageError } from '../errors.ts';
import type { AdapterReport } from './adapterReport.ts';
import {
  type FoundAdapter,
  findFirstAdapter,
  findLavapipe,
  findSwiftShader,
  listAdapters,
} from './findAdapters.ts';
import { type LoadedWebgpu, loadWebgpu } from './loadWebgpu.ts';
import { restWhileWaiting } from './restWhileWaiting.ts';

/** `auto`, `hardware`, `lavapipe`, `swiftshader`, or a part of an adapter's description. */
export type AdapterChoice = string;

/** For commander: what `--adapter` takes. */
export const adapterChoiceHelp = 'auto, hardware, lavapipe, swiftshader, or a part of an adapter description';

export interface OpenedGpu {
  context: GpuContext;
  adapter: AdapterReport;
}

/**
 * Opens the GPU of the caller's choice. The caller closes `context`.
 *
 * @throws UsageError when the chosen adapter is not there; it lists those that are.
 * @throws RunError when `auto` finds no adapter at all.
 * @example const { context, adapter } = await openGpu('auto');
 */
export async function openGpu(choice: AdapterChoice): Promise<OpenedGpu> {
  const webgpu = await loadWebgpu();
  const { found, why } = await chooseAdapter(webgpu, choice.trim());
  const { gpu, adapter, ...description } = found;
  const spare = description.kind === 'hardware' ? {} : { whileWaiting: restWhileWaiting };
  const context = await GpuContext.open(gpu, { adapter, ...spare });
  return { context, adapter: { ...description, why } };
}

interface ChosenAdapter {
  found: FoundAdapter;
  why: string;
}

async function chooseAdapter(webgpu: LoadedWebgpu, choice: AdapterChoice): Promise<ChosenAdapter> {
  const chosen = choice === 'auto' ? await chooseFastest(webgpu) : await chooseNamed(webgpu, choice);
  if (chosen) return chosen;
  if (choice === 'auto') {
    const embedded = webgpu.embeddedMissing
      ? ` The embedded driver is not available: ${webgpu.embeddedMissing}.`
      : '';
    throw new RunError(
      `no GPU adapter was found.${embedded} Install a Vulkan driver (Mesa) or run on Linux x64.`,
    );
  }
  const available = (await listAdapters(webgpu)).map(({ kind, description }) => `${kind}: ${description}`);
  throw new UsageError(
    `--adapter: found no adapter for "${choice}"; allowed are ${adapterChoiceHelp}; ` +
      `there ${available.length === 1 ? 'is' : 'are'} ${available.join('; ') || 'none'}`,
  );
}

async function chooseFastest(webgpu: LoadedWebgpu): Promise<ChosenAdapter | undefined> {
  const first = await findFirstAdapter(webgpu);
  if (first?.kind === 'hardware') return { found: first, why: 'a hardware GPU comes first' };
  const lavapipe = await findLavapipe(webgpu);
  if (lavapipe) return { found: lavapipe, why: 'no hardware GPU; lavapipe is the fastest software driver' };
  return (
    first && { found: first, why: 'no hardware GPU and no lavapipe; this software driver is what there is' }
  );
}

async function chooseNamed(webgpu: LoadedWebgpu, choice: AdapterChoice): Promise<ChosenAdapter | undefined> {
  const found = await findNamed(webgpu, choice);
  return found && { found, why: `asked for by --adapter ${choice}` };
}

async function findNamed(webgpu: LoadedWebgpu, choice: AdapterChoice): Promise<FoundAdapter | undefined> {
  if (choice === '') return undefined;
  if (choice === 'lavapipe') return findLavapipe(webgpu);
  if (choice === 'swiftshader') return findSwiftShader(webgpu);
  if (choice === 'hardware') {
    const first = await findFirstAdapter(webgpu);
    return first?.kind === 'hardware' ? first : undefined;
  }
  const wanted = choice.toLowerCase();
  const listed = await listAdapters(webgpu);
  return listed.find(({ description }) => description.toLowerCase().includes(wanted));
}
