import type Anthropic from '@anthropic-ai/sdk'
import { type Scenario, type Turn, toPattern } from '../scenario.ts'
import { invalidRequest } from './api-error.ts'

/** Which turn comes next in each conversation of a scenario. */
export class Script {
  readonly #scenario: Scenario
  /** Positions of turns that are still to come. */
  #left: number[]

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    this.#left = [...scenario.turns.keys()]
  }

  /**
   * Takes the next turn of the request's conversation. Turns whose `when` or `unless` stands against what the request
   * says last are passed over for good. Throws the ApiError that names the scenario, and takes nothing, when no turn is
   * left, or when the `expect` of the next one is not fulfilled.
   */
  take(request: Anthropic.MessageCreateParams): Turn {
    const conversation = this.#conversationOf(request)
    const said = lastTexts(request)
    const { name, turns } = this.#scenario
    const mine = this.#left.filter((at) => turns[at].for === conversation)
    const at = mine.find((at) => fits(turns[at], said))
    if (at === undefined) {
      const whose = conversation === undefined ? '' : ` for ${JSON.stringify(conversation)}`
      const why = mine.length === 0 ? '' : ` None of the turns that are left fits what was said: ${shorten(said)}`
      throw invalidRequest(`The scenario "${name}" has no more turns${whose}: it ends here.${why}`)
    }
    const missing = (turns[at].expect ?? []).find((pattern) => !toPattern(pattern).test(said))
    if (missing !== undefined) {
      throw invalidRequest(
        `Turn ${at + 1} of the scenario "${name}" expects /${missing}/ in what the tools returned. They returned: ${shorten(said)}`,
      )
    }
    this.#left = this.#left.filter((place) => turns[place].for !== conversation || place > at)
    return turns[at]
  }

  /** The longest `for` that the first message contains: a text that a sub-agent was asked. Undefined for the main one. */
  #conversationOf({ messages }: Anthropic.MessageCreateParams): string | undefined {
    const first = textsOf(messages[0].content).join('\n')
    const names = this.#scenario.turns.flatMap((turn) => turn.for ?? [])
    return names.filter((text) => first.includes(text)).sort((a, b) => b.length - a.length)[0]
  }
}

function fits({ when, unless }: Turn, said: string): boolean {
  return (when === undefined || toPattern(when).test(said)) && (unless === undefined || !toPattern(unless).test(said))
}

/** What the last message says: the results of tools, and texts. */
function lastTexts({ messages }: Anthropic.MessageCreateParams): string {
  return textsOf(messages[messages.length - 1].content).join('\n')
}

function textsOf(content: Anthropic.ToolResultBlockParam['content'] | Anthropic.ContentBlockParam[]): string[] {
  if (typeof content !== 'object') return content === undefined ? [] : [content]
  return content.flatMap((block) => {
    if (block.type === 'text') return [block.text]
    return block.type === 'tool_result' ? textsOf(block.content) : [`[${block.type}]`]
  })
}

function shorten(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}
