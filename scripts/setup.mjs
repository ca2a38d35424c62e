// Makes a checkout ready to run: installs node_modules and builds dist/, each only when missing or out of date.
// Plain Node without dependencies, since it runs before there are any. Everything it says goes to stderr.
//   node scripts/setup.mjs            what is needed
//   node scripts/setup.mjs --build    build dist/ even when it is up to date
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const oldestNode = 20;
/** Holds the hash of the sources that dist/ was built from. */
const buildStamp = join(root, 'dist', '.built-from');

function say(message) {
  process.stderr.write(`rtsafe setup: ${message}\n`);
}

function fail(message, output = '') {
  if (output) process.stderr.write(`${output.trimEnd()}\n`);
  say(message);
  process.exit(1);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** npm writes node_modules/.package-lock.json last, so a cut-off install counts as none. */
function installedPackagesAreCurrent() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === version && existsSync(join(root, path)) : optional === true;
  });
}

function install() {
  say('installing packages (npm ci, about a minute the first time)');
  const npm = process.env.npm_execpath;
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const result = spawnSync(command, [...prefix, 'ci', '--include=dev', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (result.error) fail(`cannot run npm: ${result.error.message}`);
  if (result.status !== 0)
    fail('npm ci failed; see above. Nothing was built.', `${result.stdout}${result.stderr}`);
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

function hashSources() {
  const hash = createHash('sha256');
  const settings = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map((name) =>
    join(root, name),
  );
  for (const path of [...settings, ...listFiles(join(root, 'src')).sort()]) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Builds beside dist/ and swaps, so that a failed or cut-off build leaves the old one as it was. */
function build(sourcesHash) {
  say('building dist/ (a few seconds)');
  const fresh = mkdtempSync(join(root, 'dist.new-'));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', fresh], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    fail('the build failed; dist/ is as it was', `${result.stdout ?? ''}${result.stderr ?? ''}`);
  }
  writeFileSync(join(fresh, '.built-from'), sourcesHash);
  const dist = join(root, 'dist');
  const old = `${fresh}.old`;
  if (existsSync(dist)) renameSync(dist, old);
  // A temporary folder is its owner's alone; a build is for all who may read the checkout.
  chmodSync(fresh, statSync(root).mode);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

function builtFrom() {
  return existsSync(buildStamp) ? readFileSync(buildStamp, 'utf8') : '';
}

const nodeVersion = Number.parseInt(process.versions.node, 10);
if (nodeVersion < oldestNode) fail(`Node ${oldestNode} or newer is needed; this is ${process.version}`);

if (!installedPackagesAreCurrent()) install();
const sourcesHash = hashSources();
if (process.argv.includes('--build') || builtFrom() !== sourcesHash) build(sourcesHash);
