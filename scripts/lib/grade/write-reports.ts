import { join } from 'node:path'
import { writeWhole } from '../write-whole.ts'
import { reportCsv } from './csv.ts'
import { reportHtml } from './html.ts'
import { pointsNotices, pointsOf, pointsTable } from './points.ts'
import type { ClassReport } from './report.ts'

/**
 * Writes `report.html`, `report.csv` and `report.json`, and with `points` also `points.json`, `points.md` and
 * `points.txt`: each is there as a whole or as it was. Returns their paths.
 */
export function writeReports(report: ClassReport, folder: string, { points = false } = {}): string[] {
  const result = points ? pointsOf(report) : undefined
  const texts: Record<string, string> = {
    'report.html': reportHtml(report),
    // Excel takes a file for UTF-8 only if it begins with this mark.
    'report.csv': `\uFEFF${reportCsv(report)}`,
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    ...(result && {
      'points.json': `${JSON.stringify(result)}\n`,
      'points.md': pointsTable(result),
      'points.txt': pointsNotices(result),
    }),
  }
  return Object.entries(texts).map(([name, text]) => {
    const path = join(folder, name)
    writeWhole(path, text)
    return path
  })
}
