// Whoever reads our output may stop early, as in `npm run demo 1 | head`. That ends the program, and is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
