// Writes a report in one of its formats. A file that is there is replaced only if it is a report of ours.
import { closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { RunError } from '../errors.ts';
import { inputFault } from '../input/jsonFault.ts';
import { replaceFile } from '../records/atomicFile.ts';
import { buildReport } from './buildReport.ts';
import { pageMark, reportPage } from './page.ts';
import { isOwnPng, reportPng } from './png.ts';
import type { Report } from './reportData.ts';
import { conditionsCsv, csvMark, episodesCsv, markdownMark, reportMarkdown } from './textFormats.ts';

export const reportFormats = ['html', 'csv', 'json', 'md', 'png'] as const;
export type ReportFormat = (typeof reportFormats)[number];

const jsonMark = '{\n  "format": "rtsafe-report",';
const headBytes = 256;

/** Does a file begin as one of our reports does? */
const isOwn: Record<ReportFormat, (head: Buffer) => boolean> = {
  html: (head) => head.toString('latin1').startsWith(pageMark),
  csv: (head) => head.toString('latin1').startsWith(csvMark),
  json: (head) => head.toString('latin1').startsWith(jsonMark),
  md: (head) => head.toString('latin1').startsWith(markdownMark),
  png: isOwnPng,
};

function readHead(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}

interface ReportFile {
  readonly path: string;
  readonly format: ReportFormat;
  readonly content: (report: Report) => string | Buffer | Promise<Buffer>;
}

export function reportJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

function beside(path: string, suffix: string, extension: string): string {
  return join(dirname(path), `${basename(path, extname(path))}${suffix}${extension}`);
}

/** What a format writes: the page with its numbers beside it, CSV as two tables. */
function filesOf(format: ReportFormat, path: string): ReportFile[] {
  const json: ReportFile = { path, format: 'json', content: reportJson };
  const files: Record<ReportFormat, ReportFile[]> = {
    html: [
      { path, format, content: reportPage },
      { ...json, path: beside(path, '', '.json') },
    ],
    csv: [
      { path, format, content: conditionsCsv },
      { path: beside(path, '-episodes', extname(path)), format, content: episodesCsv },
    ],
    json: [json],
    md: [{ path, format, content: reportMarkdown }],
    png: [{ path, format, content: reportPng }],
  };
  return files[format];
}

/** @throws UsageError for a path that holds something else than such a report, or whose folder is missing. */
function checkTarget({ path, format }: ReportFile): void {
  const folder = dirname(path);
  if (!existsSync(folder))
    throw inputFault(path, 'a path in a folder that is not there', 'a file in a folder that is');
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return;
  if (!status.isFile()) throw inputFault(path, 'a folder', 'a file');
  let head: Buffer;
  try {
    head = readHead(path);
  } catch (error) {
    throw inputFault(
      path,
      `a file that cannot be read (${(error as NodeJS.ErrnoException).code})`,
      'a new file',
    );
  }
  if (head.length > 0 && !isOwn[format](head)) {
    throw inputFault(
      path,
      'a file that is no report of rtsafe',
      'a new file, or an earlier report to replace',
    );
  }
}

export interface WrittenReport {
  readonly paths: readonly string[];
  /** What a reader of its numbers should know, as the page says at its top: a sentence each. */
  readonly notices: readonly string[];
}

/**
 * Makes a report of a run's folder and says where it was written; `out` defaults to `report.<format>` in the folder.
 *
 * @throws UsageError for all that `buildReport` refuses, and for a path that holds something else.
 * @throws RunError when writing fails.
 */
export async function writeReport(
  folder: string,
  { format = 'html', out = join(folder, `report.${format}`) }: { format?: ReportFormat; out?: string } = {},
): Promise<WrittenReport> {
  const files = filesOf(format, out);
  const [first, second] = files;
  if (second !== undefined && first!.path === second.path) {
    throw inputFault(
      `--out: ${out}`,
      'the name of the report.json beside the page',
      'another name, as report.html',
    );
  }
  if (existsSync(folder)) files.forEach(checkTarget);
  const report = buildReport(folder);
  for (const { path, content } of files) {
    const bytes = Buffer.from(await content(report));
    try {
      replaceFile(path, (file) => writeFileSync(file, bytes));
    } catch (error) {
      throw new RunError(
        `${path}: writing failed (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
        {
          cause: error,
        },
      );
    }
  }
  return { paths: files.map(({ path }) => path), notices: report.notices };
}
