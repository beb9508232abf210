/** What chapter 10 reads commands with, too. It is given: how the shell quotes is a craft of its own. */
export * from '../given/parse.ts'
