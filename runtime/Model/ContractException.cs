namespace ProtocolArc.Runtime.Model;

/// <summary>A document that is no contract. <see cref="Problems"/> holds every problem, in the order of their places.</summary>
public sealed class ContractException : Exception
{
    internal ContractException(IReadOnlyList<ContractProblem> problems)
        : base(string.Join("; ", problems.Select(problem => $"{problem.Code} {problem.Pointer}: {problem.Hint}"))) =>
        Problems = problems;

    /// <summary>What is wrong with the document.</summary>
    public IReadOnlyList<ContractProblem> Problems { get; }
}

/// <summary>A structural error of a contract.</summary>
/// <param name="Code">What is wrong, such as <c>contract.key_unknown</c>.</param>
/// <param name="Pointer">Where, as a JSON pointer (RFC 6901).</param>
/// <param name="Offset">At which byte; null where there is no document.</param>
/// <param name="Hint">The same in words, for people.</param>
public sealed record ContractProblem(string Code, string Pointer, long? Offset, string Hint);
