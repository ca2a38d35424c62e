// `rtsafe report`: one page, or one file of another format, about a recorded run.
import type { Command } from 'commander';
import { inputFault } from '../input/jsonFault.ts';
import { type ReportFormat, reportFormats, writeReport } from '../report/writeReport.ts';

export async function reportCommand(
  folder: string,
  options: { out?: string; format: string },
): Promise<void> {
  const format = reportFormats.find((name) => name === options.format);
  if (format === undefined) {
    throw inputFault('--format', JSON.stringify(options.format), reportFormats.join(', '));
  }
  const { out } = options;
  const { paths, notices } = await writeReport(folder, { format, ...(out === undefined ? {} : { out }) });
  process.stdout.write(paths.map((path) => `${path}\n`).join(''));
  if (notices.length > 0) process.stderr.write(`rtsafe: ${folder}: ${notices.join(' ')}\n`);
}

const formatHelp: Record<ReportFormat, string> = {
  html: 'a page that needs nothing else, with report.json beside it',
  csv: 'a table of conditions and, beside it, one of episodes',
  json: 'every number of the page',
  md: 'the tables',
  png: 'the main figures',
};

export function registerReport(program: Command): void {
  program
    .command('report')
    .description(
      'Make a page of figures and tables from a recorded run; prints the paths written, and on stderr what is amiss with the run',
    )
    .argument('<folder>', 'the folder of a run')
    .option('--out <file>', 'where to write (default: report.<format> in the folder)')
    .option('--format <name>', reportFormats.map((name) => `${name}: ${formatHelp[name]}`).join('; '), 'html')
    .action(reportCommand);
}
