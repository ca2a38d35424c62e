// Loads Dawn once per process, with the embedded driver offered to it beside the system's own drivers.
import { pathToFileURL } from 'node:url';
import { cacheFolder } from './cacheFolder.ts';
import { hasEmbeddedDriver, unpackEmbeddedDriver } from './embeddedDriver.ts';

export interface LoadedWebgpu {
  /** Makes one Dawn instance. Options are Dawn's `name=value` strings: `adapter=`, `backend=`. */
  create: (options: string[]) => GPU;
  /** Why the embedded driver is not on offer; undefined when it is. */
  embeddedMissing: string | undefined;
}

let loading: Promise<LoadedWebgpu> | undefined;

/** Loads Dawn on the first call and installs the WebGPU constants (GPUBufferUsage and so on) as globals. */
export function loadWebgpu(): Promise<LoadedWebgpu> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LoadedWebgpu> {
  let moduleName = 'webgpu';
  let embeddedMissing: string | undefined;
  if (hasEmbeddedDriver()) {
    const cache = cacheFolder();
    try {
      const embedded = await unpackEmbeddedDriver(cache);
      offerDriver(embedded.driverFile);
      moduleName = pathToFileURL(embedded.webgpuModule).href;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      embeddedMissing = `cannot unpack it to ${cache} (${reason}); set XDG_CACHE_HOME to a folder that can be written`;
    }
  } else {
    embeddedMissing = `it is there for Linux on x64 only, and this is ${process.platform} on ${process.arch}`;
  }
  const webgpu = (await import(moduleName)) as typeof import('webgpu');
  Object.assign(globalThis, webgpu.globals);
  return { create: webgpu.create, embeddedMissing };
}

/**
 * Adds a driver manifest to those the Vulkan loader reads. Must precede Dawn's first use. VK_ADD_DRIVER_FILES adds to
 * the system's drivers, but is ignored when the user names the drivers, so then ours joins the user's list.
 */
function offerDriver(driverFile: string): void {
  const named = ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES'].find((name) => process.env[name]);
  const variable = named ?? 'VK_ADD_DRIVER_FILES';
  const present = process.env[variable]?.split(':').filter((path) => path !== '') ?? [];
  if (!present.includes(driverFile)) process.env[variable] = [...present, driverFile].join(':');
}
