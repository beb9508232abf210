export { createContext } from '../05-build-tool/given/context.ts'
