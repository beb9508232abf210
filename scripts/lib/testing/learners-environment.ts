/** The environment without what Vitest and npm put into it, and without a key: as a learner's shell is. */
export function learnersEnvironment(): NodeJS.ProcessEnv {
  const theirs = /^(ANTHROPIC_|VITEST|WORKSHOP_|npm_|NODE_|FORCE_COLOR$|CI$|TEST$|MODE$|DEV$|PROD$|SSR$|BASE_URL$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !theirs.test(name)))
}
