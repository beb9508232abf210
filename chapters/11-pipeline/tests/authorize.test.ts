import type { CanUseTool, PermissionResult } from '#05-build-tool/tool.ts'
import { authorize } from '#11-pipeline/authorize.ts'
import type { Hooked } from '#11-pipeline/run-tool-use.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { callWith, held, rows, type Setup, toolWith } from './calls.ts'

const input = { text: 'a', times: 1 }
const allow: PermissionResult = { behavior: 'allow', updatedInput: input }
const deny: PermissionResult = { behavior: 'deny', message: 'Not on a Sunday.' }
const ask: PermissionResult = { behavior: 'ask', message: 'May it speak?' }
const askOfMode = { ...ask, decisionReason: { type: 'mode' } }

/** Decides by the text of the input; asks and answers are written down. */
function deciding(answers: Record<string, unknown>): { canUseTool: CanUseTool; asked: string[] } {
  const asked: string[] = []
  const canUseTool = (async (_tool: unknown, { text }: Record<string, unknown>) => {
    asked.push(String(text))
    return answers[String(text)] ?? { behavior: 'allow', updatedInput: { text, times: 1 } }
  }) as unknown as CanUseTool
  return { canUseTool, asked }
}

function permission({ hooked = {}, ...setup }: Setup & { hooked?: Partial<Hooked> } = {}) {
  const tool = setup.tool ?? toolWith()
  const original = hooked.original ?? hooked.input ?? input
  return authorize(callWith({ ...setup, tool }), {
    type: 'hooked',
    tool,
    input: original,
    original,
    notes: [],
    ...hooked,
  })
}

describe('task 2: permission', () => {
  it('lets run what is allowed, with the input that was asked about', async () => {
    const { canUseTool, asked } = deciding({})
    expect(await permission({ canUseTool })).toMatchObject({ type: 'authorized', input })
    expect(asked).toEqual(['a'])
  })

  it('hands the tool, the input, the context and the message to whoever decides', async () => {
    const seen: unknown[] = []
    const call = callWith({
      canUseTool: async (...args) => {
        seen.push(...args)
        return allow
      },
    })
    const [tool] = call.context.options.tools
    await authorize(call, { type: 'hooked', tool, input, original: input, notes: [] })
    expect(seen).toEqual([tool, input, call.context, call.message])
  })

  it('refuses what is denied, with the reason', async () => {
    const { canUseTool } = deciding({ a: deny })
    expect(await permission({ canUseTool })).toEqual({
      type: 'failed',
      stage: 'permission',
      message: 'Not on a Sunday.',
    })
  })

  it.for(
    rows([undefined, null, true, 'allow', {}, { behavior: 'yes' }, { behavior: 'passthrough' }, { behavior: 'ALLOW' }]),
  )('takes $what for a denial when it asks for permission', async ({ value: answer }) => {
    const authorized = await permission({ canUseTool: (async () => answer) as unknown as CanUseTool })
    expect(authorized).toMatchObject({ type: 'failed', stage: 'permission', message: expect.stringMatching(/\w/) })
  })

  it.for(rows(['{"text":"b"}', 5, [], null]))(
    'refuses an allow whose updatedInput is $what',
    async ({ value: updatedInput }) => {
      const answer = { behavior: 'allow', updatedInput }
      expect(await permission({ canUseTool: (async () => answer) as unknown as CanUseTool })).toMatchObject({
        type: 'failed',
      })
    },
  )

  it('runs what was asked about when the allow has no updatedInput', async () => {
    const canUseTool = (async () => ({ behavior: 'allow' })) as unknown as CanUseTool
    expect(await permission({ canUseTool })).toMatchObject({ type: 'authorized', input })
  })

  it('refuses what the tool itself denies, and asks nobody else', async () => {
    const { canUseTool, asked } = deciding({})
    const tool = toolWith({ checkPermissions: async () => ({ behavior: 'deny', message: 'Never that.' }) })
    expect(await permission({ tool, canUseTool })).toMatchObject({ type: 'failed', message: 'Never that.' })
    expect(asked).toEqual([])
  })

  it.for(rows([undefined, null, true, 'allow', {}, { behavior: 'yes' }]))(
    'takes $what for a denial when the tool itself is asked',
    async ({ value: answer }) => {
      const { canUseTool, asked } = deciding({})
      const tool = toolWith({ checkPermissions: async () => answer })
      expect(await permission({ tool, canUseTool }), 'a doubt refuses').toMatchObject({
        type: 'failed',
        stage: 'permission',
        message: expect.stringMatching(/\w/),
      })
      expect(asked).toEqual([])
    },
  )

  it('does not take the tool’s own allow for a permission', async () => {
    const tool = toolWith({ checkPermissions: async () => allow })
    expect(await permission({ tool, canUseTool: async () => deny })).toMatchObject({ type: 'failed' })
  })

  it('parses and validates the input that a decision has changed', async () => {
    const canUseTool: CanUseTool = async () => ({ behavior: 'allow', updatedInput: { text: 'b', times: '2' } })
    expect(await permission({ canUseTool })).toMatchObject({ type: 'authorized', input: { text: 'b', times: 2 } })
    const wrong: CanUseTool = async () => ({ behavior: 'allow', updatedInput: { text: 5 } })
    expect(await permission({ canUseTool: wrong })).toMatchObject({ type: 'failed', stage: 'parse' })
    const tool = toolWith({ validateInput: async () => ({ result: false, message: 'Too loud.' }) })
    expect(await permission({ tool, canUseTool })).toMatchObject({
      type: 'failed',
      stage: 'validate',
      message: 'Too loud.',
    })
  })

  it('is in stage permission again when what a decision has changed is checked', async () => {
    const stages: string[] = []
    const canUseTool: CanUseTool = async () => ({ behavior: 'allow', updatedInput: { text: 'b' } })
    await permission({ canUseTool, observer: ({ type, stage }) => type === 'begin' && stages.push(stage) })
    expect(stages).toEqual(['permission', 'parse', 'validate', 'permission'])
  })

  it('does not parse again what a decision has left as it was', async () => {
    const tool = toolWith({ validateInput: async () => ({ result: false, message: 'Asked again.' }) })
    expect(
      await permission({ tool, canUseTool: async () => ({ behavior: 'allow', updatedInput: { ...input } }) }),
    ).toMatchObject({ type: 'authorized' })
  })

  const rewritten = { original: input, input: { text: 'b', times: 1 } }

  it('asks about the original and about what a hook made of it', async () => {
    const { canUseTool, asked } = deciding({})
    expect(await permission({ canUseTool, hooked: rewritten })).toMatchObject({
      type: 'authorized',
      input: rewritten.input,
    })
    expect(asked.toSorted()).toEqual(['a', 'b'])
  })

  it('refuses a rewritten call when the original is denied', async () => {
    const { canUseTool } = deciding({ a: deny })
    expect(await permission({ canUseTool, hooked: rewritten })).toMatchObject({ type: 'failed', message: deny.message })
  })

  it('refuses a rewritten call when what would run is denied', async () => {
    const { canUseTool } = deciding({ b: deny })
    expect(await permission({ canUseTool, hooked: rewritten })).toMatchObject({ type: 'failed', message: deny.message })
  })

  it('hears the tool’s own objection to the original and to the rewrite', async () => {
    for (const objectionable of ['a', 'b']) {
      const tool = toolWith({
        checkPermissions: async ({ text }: { text: string }) =>
          text === objectionable ? { behavior: 'deny', message: `Never ${text}.` } : allow,
      })
      expect(await permission({ tool, hooked: rewritten })).toMatchObject({
        type: 'failed',
        message: `Never ${objectionable}.`,
      })
    }
  })

  it('asks once about a call that a hook gave back as it was', async () => {
    const { canUseTool, asked } = deciding({})
    await permission({ canUseTool, hooked: { original: input, input: { ...input } } })
    expect(asked).toEqual(['a'])
  })

  it('never runs the updatedInput of an answer about the original', async () => {
    const { canUseTool } = deciding({ a: { behavior: 'allow', updatedInput: { text: 'x', times: 1 } } })
    expect(await permission({ canUseTool, hooked: rewritten })).toMatchObject({
      type: 'authorized',
      input: { text: 'b' },
    })
  })

  it('denies on the rewritten form although the original only asks', async () => {
    const { canUseTool } = deciding({ a: ask, b: deny })
    const askUser = async () => allow
    expect(await permission({ canUseTool, askUser, hooked: rewritten })).toMatchObject({ type: 'failed' })
  })

  it('puts an ask to the person, who says yes', async () => {
    const { canUseTool } = deciding({ a: { ...ask, suggestion: 'Say(a)' } })
    const questions: unknown[] = []
    const askUser = async (question: object) => {
      questions.push(question)
      return allow
    }
    expect(await permission({ canUseTool, askUser })).toMatchObject({ type: 'authorized', input })
    expect(questions).toMatchObject([{ toolUseID: 'toolu_1', input, message: ask.message, suggestion: 'Say(a)' }])
  })

  it.for(rows([deny, ask, undefined, { behavior: 'ok' }]))(
    'does not run when the person answers $what',
    async ({ value: answer }) => {
      const { canUseTool } = deciding({ a: ask })
      expect(await permission({ canUseTool, askUser: async () => answer as PermissionResult })).toMatchObject({
        type: 'failed',
      })
    },
  )

  it('refuses an ask where nobody is there, and says what was to be asked', async () => {
    const authorized = await permission({ canUseTool: async () => ask })
    expect(authorized).toMatchObject({ type: 'failed', message: expect.stringContaining(ask.message) })
  })

  it('asks the person about what would run, also when only the original is to be asked about', async () => {
    const { canUseTool } = deciding({ a: ask })
    const inputs: unknown[] = []
    const askUser = async (question: { input: unknown }): Promise<PermissionResult> => {
      inputs.push(question.input)
      return { behavior: 'allow', updatedInput: question.input as never }
    }
    await permission({ canUseTool, askUser, hooked: rewritten })
    expect(inputs, 'one question, about the input that would run').toEqual([rewritten.input])
  })

  it('puts the input that an ask gives to the person, and runs it once it has been checked', async () => {
    const inputs: unknown[] = []
    const askUser = async (question: { input: unknown }): Promise<PermissionResult> => {
      inputs.push(question.input)
      return { behavior: 'allow', updatedInput: question.input as never }
    }
    const asking = (updatedInput: object) => deciding({ a: { ...ask, updatedInput } }).canUseTool
    expect(await permission({ canUseTool: asking({ text: 'b', times: '2' }), askUser })).toMatchObject({
      type: 'authorized',
      input: { text: 'b', times: 2 },
    })
    expect(inputs, 'one question, about the input of the ask').toMatchObject([{ text: 'b' }])
    expect(await permission({ canUseTool: asking({ txt: 'b' }), askUser })).toMatchObject({
      type: 'failed',
      stage: 'parse',
    })
  })

  it('puts one question to the person where several ask, in the words of the first', async () => {
    const questions: string[] = []
    const askUser = async ({ message }: { message: string }) => {
      questions.push(message)
      return deny
    }
    const verdict = { behavior: 'ask' as const, reason: 'The hook asks.' }
    const [first, second] = ['About the original.', 'About the rewrite.'].map((message) => ({ ...ask, message }))
    const all = deciding({ a: first, b: second })
    await permission({ canUseTool: all.canUseTool, askUser, hooked: { ...rewritten, verdict } })
    const rewriteOnly = deciding({ b: second })
    await permission({ canUseTool: rewriteOnly.canUseTool, askUser, hooked: { ...rewritten, verdict } })
    await permission({ canUseTool: all.canUseTool, askUser, hooked: { verdict } })
    expect(questions, 'the rules come before the hook').toEqual([first.message, second.message, first.message])
  })

  it.for(rows(['', ' \n', undefined, 5]))(
    'has something to ask where the message is $what',
    async ({ value: message }) => {
      const questions: unknown[] = []
      const askUser = async (question: { message: string }) => {
        questions.push(question.message)
        return allow
      }
      const canUseTool = (async () => ({ behavior: 'ask', message })) as unknown as CanUseTool
      expect(await permission({ canUseTool, askUser })).toMatchObject({ type: 'authorized' })
      expect(questions).toEqual([expect.stringContaining('Say')])
    },
  )

  it('asks the rules about what parsing has made of the person’s edit', async () => {
    const asked: unknown[] = []
    const canUseTool: CanUseTool = async (_tool, about) => {
      asked.push(about)
      if (about.text === 'a') return ask as PermissionResult
      return about.times === 3 ? deny : { behavior: 'allow', updatedInput: about }
    }
    const edit = (times: string) => async () => ({
      behavior: 'allow' as const,
      updatedInput: { text: 'b', times } as never,
    })
    expect(await permission({ canUseTool, askUser: edit('2') })).toMatchObject({
      type: 'authorized',
      input: { text: 'b', times: 2 },
    })
    expect(asked.at(-1), 'parsed').toEqual({ text: 'b', times: 2 })
    expect(await permission({ canUseTool, askUser: edit('3') })).toMatchObject({
      type: 'failed',
      message: deny.message,
    })
  })

  it('parses what the person has edited, and lets a denial stand against it', async () => {
    const { canUseTool } = deciding({ a: ask, c: deny, d: ask })
    const edit = (text: unknown) => async () => ({ behavior: 'allow' as const, updatedInput: { text } as never })
    expect(await permission({ canUseTool, askUser: edit('b') })).toMatchObject({
      type: 'authorized',
      input: { text: 'b' },
    })
    expect(await permission({ canUseTool, askUser: edit(7) })).toMatchObject({ type: 'failed', stage: 'parse' })
    expect(await permission({ canUseTool, askUser: edit('c') })).toMatchObject({
      type: 'failed',
      message: deny.message,
    })
    expect(await permission({ canUseTool, askUser: edit('d') }), 'the person has answered').toMatchObject({
      type: 'authorized',
    })
  })

  const hookAllows = { verdict: { behavior: 'allow' as const, reason: 'It is fine.' } }

  it('lets a hook’s allow answer what only the mode asks', async () => {
    const { canUseTool } = deciding({ a: askOfMode })
    expect(await permission({ canUseTool, hooked: hookAllows })).toMatchObject({ type: 'authorized', input })
  })

  it('does not let a hook’s allow lift a denial', async () => {
    const { canUseTool } = deciding({ a: deny })
    expect(await permission({ canUseTool, hooked: hookAllows })).toMatchObject({
      type: 'failed',
      message: deny.message,
    })
  })

  it('does not let a hook’s allow lift a denial of either form, after a rewrite', async () => {
    for (const denied of ['a', 'b']) {
      const { canUseTool } = deciding({ [denied]: deny })
      expect(
        await permission({ canUseTool, hooked: { ...rewritten, ...hookAllows } }),
        denied === 'a' ? 'the original is denied' : 'what would run is denied',
      ).toMatchObject({ type: 'failed', message: deny.message })
    }
  })

  it.for(rows([{ type: 'rule' }, { type: 'tool' }, { type: 'mode', mode: 'plan' }, undefined]))(
    'does not let a hook’s allow lift an ask with the reason $what',
    async ({ value: decisionReason }) => {
      const { canUseTool } = deciding({ a: { ...ask, decisionReason } })
      expect(await permission({ canUseTool, hooked: hookAllows })).toMatchObject({ type: 'failed' })
    },
  )

  it('does not let a hook’s allow lift a rule’s ask about the original, after a rewrite', async () => {
    const { canUseTool } = deciding({ a: { ...ask, decisionReason: { type: 'rule' } }, b: askOfMode })
    expect(await permission({ canUseTool, hooked: { ...rewritten, ...hookAllows } })).toMatchObject({ type: 'failed' })
  })

  it('asks the person where a hook asks and everybody else allows', async () => {
    const questions: string[] = []
    const askUser = async ({ message }: { message: string }) => {
      questions.push(message)
      return allow
    }
    const hooked = { verdict: { behavior: 'ask' as const, reason: 'It is late.' } }
    expect(await permission({ askUser, hooked })).toMatchObject({ type: 'authorized' })
    expect(questions).toEqual(['It is late.'])
    expect(await permission({ hooked }), 'nobody is there').toMatchObject({ type: 'failed' })
  })

  it('asks nobody any more once the call is aborted', async () => {
    const gate = held<PermissionResult>()
    const abortController = new AbortController()
    const { canUseTool, asked } = deciding({})
    const tool = toolWith({ checkPermissions: () => gate.promise })
    const message = errorOf(() => permission({ tool, canUseTool, abortController }))
    abortController.abort()
    gate.resolve(allow)
    expect(await message).toMatch(/abort/i)
    expect(asked).toEqual([])
  })

  it('asks neither the tool nor the rules about the rewrite once the call is aborted', async () => {
    const abortController = new AbortController()
    const late: string[] = []
    const hear = (who: string) => abortController.signal.aborted && late.push(who)
    const tool = toolWith({
      checkPermissions: async () => {
        hear('checkPermissions')
        return allow
      },
    })
    const canUseTool: CanUseTool = async (_tool, updatedInput) => {
      hear('canUseTool')
      abortController.abort()
      return { behavior: 'allow', updatedInput }
    }
    const message = await errorOf(() => permission({ tool, canUseTool, abortController, hooked: rewritten }))
    expect(message).toMatch(/abort/i)
    expect(late, 'asked after the abort').toEqual([])
  })
})
