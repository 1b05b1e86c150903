//! Templates of the generated blocks of template.yaml. Capitals between underscores are
//! placeholders.

pub(crate) const API_ROLE: &str = "
  ApiRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: \"2012-10-17\"
        Statement:
          - Effect: Allow
            Principal: {Service: apigateway.amazonaws.com}
            Action: sts:AssumeRole
            # Otherwise an API of another account could use the role.
            Condition: {StringEquals: {aws:SourceAccount: !Ref AWS::AccountId}}
  # Forty functions each: all of them would exceed the 10,240 characters that a role may hold itself,
  # and many more than forty the 6,144 of a policy.
";

pub(crate) const API_POLICY: &str = "  ApiPolicy_NUMBER_:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      Roles: [!Ref ApiRole]
      PolicyDocument:
        Version: \"2012-10-17\"
        Statement:
          - Effect: Allow
            Action: lambda:InvokeFunction
            Resource:
";

pub(crate) const API_POLICY_ARN: &str = "              - !GetAtt _ID_Function.Arn\n";

pub(crate) const TIMER_ROLE: &str = "
  TimerRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: \"2012-10-17\"
        Statement:
          - Effect: Allow
            Principal: {Service: scheduler.amazonaws.com}
            Action: sts:AssumeRole
            # Otherwise a schedule of another account could use the role.
            Condition: {StringEquals: {aws:SourceAccount: !Ref AWS::AccountId}}
      Policies:
        - PolicyName: invoke
          PolicyDocument:
            Version: \"2012-10-17\"
            Statement:
              - Effect: Allow
                Action: lambda:InvokeFunction
                Resource:
";

pub(crate) const TIMER_ARN: &str = "                  - !GetAtt _ID_Function.Arn\n";

/// Resources per family.
pub(crate) const FAMILY: &str = "
  # _NAME_

  _ID_Logs:
    Type: AWS::Logs::LogGroup
    DeletionPolicy: Delete
    UpdateReplacePolicy: Delete
    Properties:
      LogGroupName: !Sub /aws/lambda/${AWS::StackName}/_NAME_
      RetentionInDays: !Ref LogRetentionDays
  _ID_Errors:
    Type: AWS::Logs::MetricFilter
    Properties:
      LogGroupName: !Ref _ID_Logs
      FilterPattern: !FindInMap [LogPatterns, Function, Failure]
      MetricTransformations:
        - MetricNamespace: !Sub Roundtable/${AWS::StackName}
          MetricName: _ID_Errors
          MetricValue: \"1\"
  _ID_ErrorsAlarm:
    Type: AWS::CloudWatch::Alarm
    Properties:
      AlarmName: !Sub ${AWS::StackName}-_NAME_-errors
      AlarmDescription: Functions of this family fail. Their log group has the lines at level ERROR.
      Namespace: !Sub Roundtable/${AWS::StackName}
      MetricName: _ID_Errors
      Statistic: Sum
      Period: 300
      EvaluationPeriods: 1
      Threshold: 5
      ComparisonOperator: GreaterThanOrEqualToThreshold
      TreatMissingData: notBreaching
      AlarmActions: [!Ref AlarmTopic]
      OKActions: [!Ref AlarmTopic]
  _ID_Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: \"2012-10-17\"
        Statement:
          - Effect: Allow
            Principal: {Service: lambda.amazonaws.com}
            Action: sts:AssumeRole
      Policies:
        - PolicyName: family
          PolicyDocument:
            Version: \"2012-10-17\"
            Statement:
";

/// One function; further properties follow.
pub(crate) const FUNCTION: &str = "  _ID_Function:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: !Sub ${AWS::StackName}-_NAME_
      CodeUri: target/lambda/_NAME_/
      Handler: _NAME_
      Role: !GetAtt _FAMILY_Role.Arn
      LoggingConfig: {LogGroup: !Ref _FAMILY_Logs}
";

pub(crate) const SECRETS: &str = "      Environment:
        Variables:
";

pub(crate) const KEYRING: &str = "          KEYRING_SECRET: !Ref KeyringSecret
";

pub(crate) const ADMIN: &str = "          ADMIN_TOKEN_SECRET: !Ref AdminTokenSecret
";

pub(crate) const ROLE: &str = "        - !Ref _ID_Role
";

pub(crate) const MEMORY: &str = "      MemorySize: _MEGABYTES_\n";

pub(crate) const LONGER: &str = "      Timeout: 60\n";

pub(crate) const RESERVED: &str = "      ReservedConcurrentExecutions: !If [ReservesConcurrency, _CONCURRENCY_, !Ref AWS::NoValue]
";

pub(crate) const LOOP: &str =
    "      # It sends the rest to its own queue, which Lambda would stop as a loop after 16 rounds.
      RecursiveLoop: Allow
";

pub(crate) const FROM_QUEUE: &str = "      Events:
        Queue:
          Type: SQS
          Properties:
            Queue: !GetAtt _SOURCE_Queue.Arn
            BatchSize: _BATCH_
            FunctionResponseTypes: [ReportBatchItemFailures]
            ScalingConfig: {MaximumConcurrency: _CONCURRENCY_}
";

pub(crate) const FROM_STREAMS: &str = "      Events:\n";

pub(crate) const FROM_STREAM: &str = "        _SOURCE_Stream:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt _SOURCE_Table.StreamArn
            StartingPosition: TRIM_HORIZON
            BatchSize: 100
            # Numbers follow the order of a shard; several batches of one at once would break it.
            ParallelizationFactor: 1
            # Writes without events are filtered before the function is called.
            FilterCriteria:
              Filters: [{Pattern: '{\"dynamodb\":{\"NewImage\":{\"_events\":{\"S\":[{\"exists\":true}]}}}}'}]
            FunctionResponseTypes: [ReportBatchItemFailures]
            BisectBatchOnFunctionError: true
            # An event that fails alone goes to a queue at once. The rest waits while a dependency is
            # unavailable, limited by age: two hours less than the retention of the stream.
            MaximumRetryAttempts: 10000
            MaximumRecordAgeInSeconds: 79200
            DestinationConfig: {OnFailure: {Destination: !GetAtt EventsDeadQueue.Arn}}
";

pub(crate) const FROM_CHANGES: &str = "        _SOURCE_Stream:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt _SOURCE_Table.StreamArn
            StartingPosition: LATEST
            BatchSize: 100
            # The order per item is kept, and documents do not wait for each other.
            ParallelizationFactor: 10
            FunctionResponseTypes: [ReportBatchItemFailures]
            BisectBatchOnFunctionError: true
            # Changes older than five minutes are outdated.
            MaximumRetryAttempts: 10
            MaximumRecordAgeInSeconds: 300
            FilterCriteria:
              Filters: [_PATTERNS_]
    # No failure destination: failed changes are useless later.
    Metadata: {cfn-lint: {config: {ignore_checks: [ES1001]}}}
";

pub(crate) const FROM_TIMER: &str =
    "      # Shorter than the interval, so that two runs do not overlap.
      Timeout: 55
      Events:
        Timer:
          Type: ScheduleV2
          Properties:
            Name: !Sub ${AWS::StackName}-_NAME_
            ScheduleExpression: rate(1 minute)
            RoleArn: !GetAtt TimerRole.Arn
            # The next minute covers a lost one.
            RetryPolicy: {MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60}
";

pub(crate) const ROUTE: &str = "          _PATH_:
            post:
";

pub(crate) const PAGE: &str = "          _PATH_:
            parameters: [{name: token, in: path, required: true, schema: {type: string}}]
";

pub(crate) const METHOD: &str = "            _METHOD_:
";

pub(crate) const DEFAULT_ROUTE: &str = "          /$default:
            x-amazon-apigateway-any-method:
              isDefaultRoute: true
";

pub(crate) const INTEGRATION: &str = "              responses: {default: {description: An envelope}}
              x-amazon-apigateway-integration:
                type: aws_proxy
                httpMethod: POST
                payloadFormatVersion: \"2.0\"
                uri: !Sub arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${_ID_Function.Arn}/invocations
                credentials: !GetAtt ApiRole.Arn
";

/// A route of the WebSocket API with its integration.
pub(crate) const LIVE_ROUTE: &str = "  _ID_Integration:
    Type: AWS::ApiGatewayV2::Integration
    Properties:
      ApiId: !Ref LiveApi
      IntegrationType: AWS_PROXY
      IntegrationUri: !Sub arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${_ID_Function.Arn}/invocations
      CredentialsArn: !GetAtt ApiRole.Arn
  _ID_Route:
    Type: AWS::ApiGatewayV2::Route
    Properties:
      ApiId: !Ref LiveApi
      RouteKey: _KEY_
      AuthorizationType: NONE
      Target: !Sub integrations/${_ID_Integration}
";

/// The deployed routes.
pub(crate) const LIVE_DEPLOYMENT: &str =
    "  # A deployment is a snapshot of the routes: changed routes need a new one, with a new name.
  LiveDeployment_HASH_:
    Type: AWS::ApiGatewayV2::Deployment
    DependsOn: [_ROUTES_]
    Properties:
      ApiId: !Ref LiveApi
  LiveStage:
    Type: AWS::ApiGatewayV2::Stage
    # It has no access log, see above.
    Metadata: {cfn-lint: {config: {ignore_checks: [ES2000]}}}
    Properties:
      ApiId: !Ref LiveApi
      StageName: live
      DeploymentId: !Ref LiveDeployment_HASH_
      DefaultRouteSettings:
        ThrottlingRateLimit: !Ref LiveThrottleRate
        ThrottlingBurstLimit: !Ref LiveThrottleBurst
";
