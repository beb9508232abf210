import { readFile } from 'node:fs/promises'
import { assertRegularFile } from '../../01-dispatch/given/files.ts'

export { assertRegularFile }

/**
 * Reads a text file, as you did in chapter 01: the byte order mark is not shown, the line ends are left as they are.
 * Throws an Error that says what `path` is when it is missing, no regular file, or binary (then with its size in bytes).
 * `shown` is the path as the model wrote it, and the one that the Error names.
 */
export async function readText(path: string, shown: string): Promise<string> {
  try {
    await assertRegularFile(path, shown)
    const bytes = await readFile(path)
    if (bytes.includes(0)) throw new Error(`${shown} is a binary file of ${bytes.length} bytes.`)
    return bytes.toString('utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    // Node's own messages have the full path in them.
    throw new Error((error as Error).message.replaceAll(path, () => shown))
  }
}
