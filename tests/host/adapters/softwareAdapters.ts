// The software adapters a test can open here. Lavapipe is an installed driver, so it may be absent; SwiftShader comes
// with the packages, so it must be there on Linux x64. Both can be open in one process at once.
import { findLavapipe } from '../../../src/host/adapters/findAdapters.ts';
import { loadWebgpu } from '../../../src/host/adapters/loadWebgpu.ts';

export type SoftwareAdapter = 'lavapipe' | 'swiftshader';

const lavapipe = await findLavapipe(await loadWebgpu());

/** Undefined where the adapter is here, else the reason, for `context.skip(reason)`. */
export function whyAbsent(adapter: SoftwareAdapter): string | undefined {
  if (adapter === 'lavapipe' && !lavapipe)
    return 'lavapipe is not installed (mesa-vulkan-drivers, Mesa 24 or newer)';
  return undefined;
}

export const softwareAdapters: readonly SoftwareAdapter[] = ['lavapipe', 'swiftshader'];

/** Those that are here, for tests that only need some adapter, or that compare all there are. */
export const presentSoftwareAdapters = softwareAdapters.filter((adapter) => !whyAbsent(adapter));
