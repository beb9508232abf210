import { expect, it } from 'vitest'
import { parseDiagnostics } from './types.ts'

const A = { file: 'chapters/a b/(src)/a.ts', line: 12, column: 3, code: 2322 }

it.for<[what: string, output: string, expected: unknown[]]>([
  ['nothing', '', []],
  ['one', "chapters/a b/(src)/a.ts(12,3): error TS2322: Type 'a': b.", [{ ...A, message: "Type 'a': b." }]],
  ['one on Windows', 'chapters\\a b\\(src)\\a.ts(12,3): error TS2322: A.\r\n', [{ ...A, message: 'A.' }]],
  [
    'two, the first with further lines',
    'chapters/a b/(src)/a.ts(12,3): error TS2322: A.\n  B.\n    C.\nb.ts(1,2): error TS1005: D.\n',
    [
      { ...A, message: 'A.\n  B.\n    C.' },
      { file: 'b.ts', line: 1, column: 2, code: 1005, message: 'D.' },
    ],
  ],
  ['what is no diagnostic', 'error TS5023: Unknown option.\n  indented\nFound 1 error.\n', []],
])('reads what tsc prints: %s', ([, output, expected]) => {
  expect(parseDiagnostics(output)).toEqual(expected)
})
