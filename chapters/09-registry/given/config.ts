import { z } from 'zod'
import { lazySchema, parseInput, semanticBoolean, semanticNumber } from '#03-contract/contract.ts'
import { type AppState, buildTool } from '#05-build-tool/tool.ts'

/** The settings there are. Add a line to add one. */
const settings = lazySchema(() =>
  z.strictObject({
    theme: z.enum(['dark', 'light']).default('dark'),
    verbose: semanticBoolean(z.boolean()).default(false),
    language: z.string().min(1).max(40).default('English'),
    maxTurns: semanticNumber(z.number().int().min(1)).default(50),
  }),
)

export type Settings = z.infer<ReturnType<typeof settings>>

const configInput = lazySchema(() =>
  z.strictObject({
    setting: z.string().describe(`Which one: ${settingNames().join(', ')}.`),
    value: z.union([z.string(), z.number(), z.boolean()]).optional().describe('The new value. Leave it out to read.'),
  }),
)

/** The settings of a session: those that somebody has set, and the defaults of the others. */
export function settingsOf(state: AppState): Settings {
  const parsed = parseInput(settings(), state.settings)
  return parsed.success ? parsed.data : settings().parse({})
}

/** `Config {setting, value?}`: reads a setting of the session, or sets it. */
export const ConfigTool = buildTool({
  name: 'Config',
  searchHint: 'read or change a setting: theme, verbose, language',
  get inputSchema() {
    return configInput()
  },
  maxResultSizeChars: 1_000,
  prompt: async () => 'Reads a setting of this session, or changes it when there is a value.',
  description: async ({ setting = '…', value }) => (value === undefined ? `Read ${setting}` : `Set ${setting}`),
  isReadOnly: ({ value }) => value === undefined,
  isConcurrencySafe: ({ value }) => value === undefined,
  isDestructive: () => false,

  async validateInput({ setting, value }, { getAppState }) {
    if (!settingNames().includes(setting)) {
      const there = settingNames().join(', ')
      return { result: false, message: `There is no setting ${JSON.stringify(setting)}. There are: ${there}.` }
    }
    if (value === undefined) return { result: true }
    const parsed = parseInput(settings(), { ...settingsOf(getAppState()), [setting]: value })
    if (parsed.success) return { result: true }
    const [{ message }] = parsed.error.issues
    return { result: false, message: `${setting} cannot be ${JSON.stringify(value)}: ${message}` }
  },

  async checkPermissions(input) {
    if (input.value === undefined) return { behavior: 'allow', updatedInput: input }
    return { behavior: 'ask', message: `Set ${input.setting} to ${JSON.stringify(input.value)}?` }
  },

  async call({ setting, value }, { getAppState, setAppState }) {
    if (value !== undefined) {
      setAppState((state) => ({
        ...state,
        settings: settings().parse({ ...settingsOf(state), [setting]: value }),
      }))
    }
    const now = JSON.stringify(settingsOf(getAppState())[setting as keyof Settings])
    return { data: value === undefined ? `${setting} is ${now}.` : `${setting} is ${now} now.` }
  },
})

function settingNames(): string[] {
  return Object.keys(settings().shape)
}
