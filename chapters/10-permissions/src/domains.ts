/** Given: how an address may be written so that two readers see two hosts is a craft of its own. */
export * from '../given/domains.ts'
