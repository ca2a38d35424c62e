// The software Vulkan driver that comes with the packages: SwiftShader and a Vulkan loader, from @sparticuz/chromium.
// They are unpacked once to the cache folder, with a copy of the `webgpu` package around the loader: Dawn looks for
// libvulkan.so.1 beside its own dawn.node first, so one known loader is used everywhere, whether the system has none,
// an old one or a broken one. That loader still finds the system's own drivers.
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { readTar } from './tar.ts';

export interface EmbeddedDriver {
  /** Vulkan driver manifest of SwiftShader. */
  driverFile: string;
  /** Entry module of the copied `webgpu` package, with the Vulkan loader beside its library. */
  webgpuModule: string;
}

const driverFiles = ['libvk_swiftshader.so', 'vk_swiftshader_icd.json'];
const loaderFile = 'libvulkan.so.1';
/** The archive holds Linux x86-64 libraries only. */
const dawnFolder = join('dist', 'linux-x64');

const require = createRequire(import.meta.url);

/** The folder of an installed package: the nearest parent of its entry module that holds its package.json. */
function packageFolder(name: string): string {
  let folder = dirname(require.resolve(name));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

async function packageVersion(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

/** Whether this platform has an embedded driver at all. */
export function hasEmbeddedDriver(
  platform: string = process.platform,
  architecture: string = process.arch,
): boolean {
  return platform === 'linux' && architecture === 'x64';
}

/**
 * Unpacks the embedded driver under `cache` unless it is there, and says where it is. Two processes may do so at once:
 * each unpacks to a folder of its own and the first rename wins.
 *
 * @throws Error when the cache cannot be written or the archive cannot be read.
 */
export async function unpackEmbeddedDriver(cache: string): Promise<EmbeddedDriver> {
  const chromium = packageFolder('@sparticuz/chromium');
  const webgpu = packageFolder('webgpu');
  const versions = await Promise.all([packageVersion(chromium), packageVersion(webgpu)]);
  const folder = join(cache, `swiftshader-${versions[0]}-webgpu-${versions[1]}`);
  const unpacked: EmbeddedDriver = {
    driverFile: join(folder, 'vk_swiftshader_icd.json'),
    webgpuModule: join(folder, 'webgpu', 'index.js'),
  };
  if (existsSync(folder)) return unpacked;

  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(join(cache, 'unpacking-'));
  try {
    const compressed = await readFile(join(chromium, 'bin', 'swiftshader.tar.br'));
    const files = readTar(await promisify(brotliDecompress)(compressed));
    const extract = async (name: string, target: string) => {
      const content = files.get(name);
      if (!content) throw new Error(`@sparticuz/chromium ${versions[0]} has no ${name}`);
      await writeFile(join(target, name), content, { mode: 0o755 });
    };
    const dawn = join(partial, 'webgpu', dawnFolder);
    await mkdir(dawn, { recursive: true });
    await Promise.all([
      ...driverFiles.map((name) => extract(name, partial)),
      extract(loaderFile, dawn),
      ...['index.js', 'package.json', join(dawnFolder, 'dawn.node')].map((name) =>
        copyFile(join(webgpu, name), join(partial, 'webgpu', name), constants.COPYFILE_FICLONE),
      ),
    ]);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process was first; its folder is complete, since a rename is all or nothing.
    if (!existsSync(folder)) throw error;
  }
  return unpacked;
}
