const REASONS: Record<string, string> = {
  ENOENT: 'it, or its folder, is not there any more',
  EACCES: 'permission denied. Its folder may be read-only',
  EPERM: 'the system does not allow it',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would be larger than the limit for a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
}

/** An Error for the model that says why a file could not be written, and that it is as it was. */
export function saveProblem(error: unknown, shown: string): Error {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = REASONS[code ?? '']
  if (code === undefined) return error as Error
  return new Error(`${shown} was not written: ${reason ? `${reason} (${code})` : message}. It is as it was.`, {
    cause: error,
  })
}
