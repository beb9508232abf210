/** The environment variable that tells a test worker in which file to write down the test it is in. */
export const TRACE_VARIABLE = 'WORKSHOP_TRACE'
